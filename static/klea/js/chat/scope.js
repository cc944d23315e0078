// Where to look: Klea chooses by the question, unless domains are ticked.

const WORDS = "Klea chooses";

export class Scope {
  constructor(element, { onChange }) {
    this.element = element;
    this.onChange = onChange;
    this.any = document.getElementById("scope-any");
    element.addEventListener("change", (event) => this.changed(event.target));
  }

  get boxes() {
    return [...this.element.querySelectorAll("input[name=domain]")];
  }

  /** The slugs that are ticked; none lets Klea choose. */
  get chosen() {
    return this.boxes.filter((box) => box.checked).map((box) => box.value);
  }

  set chosen(slugs) {
    for (const box of this.boxes) box.checked = slugs.includes(box.value);
    this.tell();
  }

  changed(box) {
    if (box === this.any) for (const other of this.boxes) other.checked = false;
    this.tell();
  }

  tell() {
    const names = this.boxes.filter((box) => box.checked).map((box) => box.dataset.name);
    this.any.checked = !names.length;
    this.element.classList.toggle("is-fixed", names.length > 0);
    document.getElementById("scope-words").textContent = names.join(", ") || WORDS;
    this.onChange(this.chosen);
  }
}
