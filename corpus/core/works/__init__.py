"""What registrars say of a work, read into one form: one file a service."""
