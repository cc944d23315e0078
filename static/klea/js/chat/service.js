// Requests to the JSON API with the browser's session.
const token = () => document.querySelector("input[name=csrfmiddlewaretoken]").value;

export class ServiceError extends Error {
  constructor(message, advice) { super(message); this.advice = advice ?? ""; }
}

export async function call(method, path, body) {
  let answer;
  try {
    answer = await fetch(`/api/v1${path}`, {
      method, credentials: "same-origin",
      headers: { "X-CSRFToken": token(), ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new ServiceError("Klea can't be reached.", "Check the connection, then try again.");
  }
  if (answer.status === 204) return null;
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new ServiceError(told.error ?? "That didn't work.", told.advice);
  return told;
}
