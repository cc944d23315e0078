// What an answer rests on: its numbered sources, and for each cited sentence the words behind it.

export const SUPPORT = {
  verified: { icon: "check", short: "the words stand in the source", long: "Verified: these very words stand in the source." },
  supported: { icon: "info", short: "the source says it", long: "Supported: the source says this in other words." },
  weak: { icon: "warn", short: "the source says it only in part", long: "Weak: the source says this only in part. Read it before you rely on it." },
  unsupported: { icon: "cross", short: "the source doesn't say it", long: "Not supported: the source doesn't say this." },
};

export class Citations {
  constructor() {
    this.sources = new Map(); // number -> source
    this.cited = []; // one a sentence and number, in the order of the sentences
  }

  addSource(source) {
    this.sources.set(source.n, source);
  }

  /** Take a citation; one that comes without its source gets the source that has its number. */
  add(citation) {
    const source = citation.source ?? this.sources.get(citation.marker) ?? {};
    if (!this.sources.has(citation.marker)) this.sources.set(citation.marker, { ...source, n: citation.marker });
    this.cited.push({ ...citation, source });
    this.cited.sort((a, b) => a.position - b.position);
  }

  knows(number) {
    return this.sources.has(number);
  }

  /** Return the citation behind the k-th mention of a number: one source may stand behind several sentences. */
  of(number, mention = 0) {
    const found = this.cited.filter((citation) => citation.marker === number);
    return found[Math.min(mention, found.length - 1)] ?? this.uncited(number);
  }

  /** Return a source that no sentence cites, in the form of a citation. */
  uncited(number) {
    const source = this.sources.get(number) ?? {};
    return { marker: number, source, quote: "", pages: source.pages ?? [], boxes: [], start: 0, end: 0, support: "" };
  }

  /** Return one citation for each number that is cited or mentioned, by number. */
  shown(mentioned) {
    const numbers = new Set([...this.cited.map((citation) => citation.marker), ...mentioned]);
    return [...numbers].sort((a, b) => a - b).map((number) => this.of(number));
  }
}

/** "Ada Lovelace, Charles Babbage and others" */
export function authorsOf(source, most = 3) {
  const names = source.authors ?? [];
  return names.length > most ? `${names.slice(0, most).join(", ")} and others` : names.join(", ");
}

/** "Ada Lovelace · 1843 · Taylor's Scientific Memoirs" */
export function bylineOf(source, most = 3) {
  return [authorsOf(source, most), source.year, source.venue].filter(Boolean).join(" · ");
}

export function titleOf(source) {
  return source.title || source.file_name || "A source that was removed";
}

/** The innermost heading above a passage, unless it is the title. */
export function sectionOf(source) {
  const last = (source.section ?? "").split(" > ").at(-1).trim();
  return last === source.title ? "" : last;
}

/** A reference as one line of plain text. */
export function referenceOf({ source, pages, marker }) {
  const parts = [authorsOf(source, 20), source.year, titleOf(source), source.venue, pages?.length ? `p. ${pages[0]}` : sectionOf(source)];
  const address = source.links?.[0]?.[1];
  return `[${marker}] ${parts.filter(Boolean).join(". ")}${address ? `. ${address}` : ""}`;
}
