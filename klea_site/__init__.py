"""The site: settings, the order of the pipelines, addresses and the commands that run Klea on one machine."""
