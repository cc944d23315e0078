// A glance at a source, while the pointer rests on its number or the keyboard stands on it.
import { el, icon } from "../dom.js";
import { bylineOf, sectionOf, SUPPORT, titleOf } from "./citations.js";

const DELAY_MS = 180;
const GAP = 8;

export class Preview {
  /** `citationOf(chip)` returns what stands behind a number. */
  constructor(area, citationOf) {
    this.citationOf = citationOf;
    this.card = null;
    this.timer = 0;
    area.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.plan(event.target.closest(".answer .marker")));
    area.addEventListener("pointerout", (event) => event.target.closest(".marker") && this.hide());
    area.addEventListener("focusin", (event) => event.target.matches(".answer .marker:focus-visible") && this.plan(event.target));
    area.addEventListener("focusout", () => this.hide());
    area.addEventListener("scroll", () => this.hide(), { passive: true });
    area.addEventListener("click", () => this.hide());
  }

  plan(chip) {
    if (!chip || chip.matches(".is-open")) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => chip.isConnected && this.show(chip), DELAY_MS);
  }

  show(chip) {
    const citation = this.citationOf(chip);
    if (!citation) return;
    this.hide();
    const { source, support } = citation;
    const by = [bylineOf(source), citation.pages?.length ? `p. ${citation.pages[0]}` : sectionOf(source)].filter(Boolean).join(" · ");
    const words = citation.quote || (source.text ?? "").slice(0, 300);
    this.card = el("div.preview", { role: "tooltip" },
      el("p.preview-title", { text: titleOf(source) }),
      el("p.preview-by", { text: by }),
      words ? el("p.preview-quote", { text: `“${words.trim()}”` }) : null,
      SUPPORT[support] ? el(`p.support.support-${support}`, {}, icon(SUPPORT[support].icon), SUPPORT[support].long) : null);
    document.body.append(this.card);
    this.place(chip);
  }

  /** Put the card above the number, or below it where there is no room. */
  place(chip) {
    const at = chip.getBoundingClientRect();
    const { width, height } = this.card.getBoundingClientRect();
    const left = Math.min(Math.max(GAP, at.left + at.width / 2 - width / 2), innerWidth - width - GAP);
    const above = at.top - height - GAP;
    this.card.style.left = `${left}px`;
    this.card.style.top = `${above > GAP ? above : at.bottom + GAP}px`;
  }

  hide() {
    clearTimeout(this.timer);
    this.card?.remove();
    this.card = null;
  }
}
