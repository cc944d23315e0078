// Send files in pieces that go on where they broke off; three at a time.

const SIDE_BY_SIDE = 3;
const TRIES = 5;

/**
 * Upload files to a collection.
 * @param {{file: File, path: string}[]} files
 * @param {{collection: string, begin: string, told: (event: object) => void}} options
 *   `told` hears of {kind: "progress", bytes}, {kind: "taken", outcomes} and {kind: "refused", path, error, advice}.
 */
export async function uploadFiles(files, { collection, begin, told }) {
  const waiting = [...files];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      await uploadOne(next, { collection, begin, told });
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
}

/** Return the files of a drop, those in dropped folders included, each with its path. */
export async function filesOfDrop(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files].map((file) => ({ file, path: file.name }));
  const found = [];
  for (const entry of entries) await collect(entry, "", found);
  return found;
}

/** Return the files of an input, with the path below a chosen folder. */
export function filesOfInput(input) {
  return [...input.files].map((file) => ({ file, path: file.webkitRelativePath || file.name }));
}

export function csrfToken() {
  return document.querySelector("input[name=csrfmiddlewaretoken]")?.value ?? "";
}

async function uploadOne({ file, path }, { collection, begin, told }) {
  try {
    const start = await ask(begin, "POST", JSON.stringify({ collection, path, size: file.size, mark: String(file.lastModified) }), {
      "Content-Type": "application/json",
    });
    let { offset } = start;
    told({ kind: "progress", bytes: offset });
    for (let tries = 0; ; ) {
      const part = file.slice(offset, offset + start.piece);
      try {
        const answer = await ask(`${begin}${encodeURIComponent(start.upload)}/`, "PUT", part, {
          "Content-Type": "application/octet-stream",
          "Upload-Offset": String(offset),
        });
        told({ kind: "progress", bytes: answer.offset - offset });
        ({ offset } = answer);
        tries = 0;
        if (answer.files) {
          told({ kind: "taken", outcomes: answer.files });
          return;
        }
      } catch (error) {
        if (Number.isInteger(error.offset)) ({ offset } = error);
        else if (error.told || ++tries >= TRIES) throw error;
        else await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** tries));
      }
    }
  } catch (error) {
    told({ kind: "refused", path, error: error.message, advice: error.advice ?? "Check the connection, then drop the file again." });
  }
}

/** Ask the server; an answer that refuses becomes an error that carries its advice. */
async function ask(url, method, body, headers) {
  const answer = await fetch(url, { method, body, headers: { ...headers, "X-CSRFToken": csrfToken() }, credentials: "same-origin" });
  const told = await answer.json().catch(() => ({}));
  if (answer.ok) return told;
  const error = new Error(told.error ?? `The server answered ${answer.status}.`);
  error.advice = told.advice;
  error.offset = told.offset;
  error.told = Boolean(told.error) && answer.status < 500;
  throw error;
}

async function collect(entry, folder, found) {
  const path = folder ? `${folder}/${entry.name}` : entry.name;
  if (entry.isFile) {
    found.push({ file: await new Promise((resolve, reject) => entry.file(resolve, reject)), path });
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const part = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!part.length) return;
    for (const child of part) await collect(child, path, found);
  }
}
