// Arranges the page: the gallery of poses, the order of the columns, and the greeting. All of this
// is independent of the player and of the fields.

const stage = document.getElementById("stage");
const search = document.getElementById("search-pose");

search.addEventListener("input", () => {
  const words = search.value.trim().toLowerCase();
  const box = document.getElementById("poses");
  for (const label of box.querySelectorAll("label")) {
    label.hidden = !label.dataset.words.includes(words);
  }
  const found = "label:not([hidden])";
  for (const part of box.querySelectorAll(".group")) part.hidden = !part.querySelector(found);
  document.getElementById("none-pose").hidden = Boolean(box.querySelector(found));
});
// The pictures of a group are loaded when it comes into view, and stay.
const opener = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) target.classList.add("seen");
  }
});
for (const part of document.querySelectorAll(".group")) opener.observe(part);

// In one column, the texts to copy come after the choices. The keyboard and screen readers follow
// that order, too.
const column = matchMedia("(max-width: 50rem)");
function arrange() {
  const focused = document.activeElement;
  const before = document.querySelector(column.matches ? "#choices" : ".exhibit");
  before.after(document.getElementById("use"));
  focused.focus({ preventScroll: true });
}
column.addEventListener("change", arrange);
arrange();

/** Turns the figure once at a sign of the visitor, unless that is a click or a key. */
function greetVisitor() {
  const signs = new AbortController();
  const greet = () => {
    signs.abort();
    stage.setAttribute("turn", "once");
  };
  const stop = ({ target, pointerType }) => {
    // A finger may be about to scroll.
    if (pointerType === "touch") return;
    signs.abort();
    if (target !== stage) stage.removeAttribute("turn");
  };
  const { signal } = signs;
  for (const type of ["pointermove", "scroll"]) addEventListener(type, greet, { signal });
  for (const type of ["pointerdown", "keydown"]) addEventListener(type, stop);
}

if (!location.search) greetVisitor();
