// The words of an answer: shown as they come, then as the server set them; each number with what its source says for it.
import { el } from "../dom.js";
import { SUPPORT, titleOf } from "./citations.js";
import { liveNodes } from "./live-text.js";
import { safeNodes } from "./safe-html.js";

export class Answer {
  constructor(citations, onOpen) {
    this.citations = citations;
    this.text = "";
    this.drawing = false;
    this.element = el("div.answer", {
      onclick: (event) => {
        const chip = event.target.closest(".marker");
        if (!chip) return;
        event.preventDefault();
        onOpen(this.citationOf(chip), chip);
      },
    });
  }

  append(text) {
    this.replace(this.text + text);
  }

  /** Show a text that may still grow; drawn at most once a frame. */
  replace(text) {
    this.text = text;
    if (this.drawing) return;
    this.drawing = true;
    requestAnimationFrame(() => {
      if (!this.drawing) return;
      this.drawing = false;
      this.element.classList.add("is-live");
      this.element.replaceChildren(...liveNodes(this.text, (number) => this.citations.knows(number)));
    });
  }

  /** Show the text as it stays. */
  settle(html) {
    this.drawing = false;
    this.element.classList.remove("is-live");
    this.element.replaceChildren(...(html ? safeNodes(html) : liveNodes(this.text, (number) => this.citations.knows(number))));
    for (const chip of this.chips) this.label(chip);
  }

  /** Leave out the list of places and the line above it: the nearest passages are shown below, with their words. */
  withoutList() {
    const list = this.element.querySelector("ul");
    list?.previousElementSibling?.remove();
    list?.remove();
  }

  get chips() {
    return [...this.element.querySelectorAll(".marker")];
  }

  get mentioned() {
    return this.chips.map((chip) => Number(chip.dataset.marker));
  }

  citationOf(chip) {
    const same = this.chips.filter((other) => other.dataset.marker === chip.dataset.marker);
    return this.citations.of(Number(chip.dataset.marker), Math.max(0, same.indexOf(chip)));
  }

  label(chip) {
    const citation = this.citationOf(chip);
    const support = SUPPORT[citation.support];
    if (support) chip.dataset.support = citation.support;
    chip.setAttribute("role", "button");
    if (chip.previousSibling?.data?.endsWith(" ")) chip.previousSibling.data = `${chip.previousSibling.data.trimEnd()}\u00a0`;
    chip.setAttribute("aria-label", `Source ${citation.marker}: ${titleOf(citation.source)}${support ? `; ${support.short}` : ""}`);
  }
}
