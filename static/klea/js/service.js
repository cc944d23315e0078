// Requests to the JSON API with the browser's session.

const token = () => document.querySelector("input[name=csrfmiddlewaretoken]")?.value ?? "";

/** What the server, or the way to it, has against a request; `advice` says what to do. */
export class ServiceError extends Error {
  constructor(message, advice = "") {
    super(message);
    this.advice = advice;
  }
}

/** Call the API; returns what it answers, or null where there is nothing. */
export async function call(method, path, body) {
  let answer;
  try {
    answer = await fetch(`/api/v1${path}`, {
      method,
      credentials: "same-origin",
      headers: { "X-CSRFToken": token(), ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new ServiceError("Klea can't be reached.", "Check the connection, then try again.");
  }
  if (answer.status === 204) return null;
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new ServiceError(told.error ?? `The server answered ${answer.status}.`, told.advice ?? "Try again.");
  return told;
}
