// Turns the figure by dragging it. It moves the sliders as a keyboard would, so that page.js follows.

const DEGREES_PER_PIXEL = 0.75;
/** A pointer that moves less than this many pixels clicks. */
const CLICK_PIXELS = 4;

const stage = document.querySelector(".card.figure .stage");
const yaw = document.getElementById("yaw");
const pitch = document.getElementById("pitch");

/** The beginning of the drag in progress, or null. */
let start = null;
/** Whether the pointer has moved far enough since it went down. */
let dragged = false;

/** Keeps an angle of a full turn between -180 and 180 degrees. */
const wrap = (degrees) => ((((degrees + 180) % 360) + 360) % 360) - 180;

/** Moves a slider, which rounds to its steps. */
function move(slider, degrees) {
  const before = slider.value;
  slider.value = degrees;
  if (slider.value !== before) slider.dispatchEvent(new Event("input", { bubbles: true }));
}

stage.addEventListener("pointerdown", (event) => {
  if (event.button !== 0 || !event.isPrimary) return;
  start = { x: event.clientX, y: event.clientY, yaw: Number(yaw.value), pitch: Number(pitch.value) };
  dragged = false;
});

stage.addEventListener("pointermove", (event) => {
  if (!start || !event.isPrimary) return;
  const [right, down] = [event.clientX - start.x, event.clientY - start.y];
  if (!dragged && Math.hypot(right, down) < CLICK_PIXELS) return;
  if (!dragged) stage.setPointerCapture(event.pointerId);
  dragged = true;
  move(yaw, wrap(start.yaw + right * DEGREES_PER_PIXEL));
  // A finger that moves up or down scrolls the page.
  if (event.pointerType !== "touch") move(pitch, start.pitch + down * DEGREES_PER_PIXEL);
});

for (const end of ["pointerup", "pointercancel"]) {
  stage.addEventListener(end, () => {
    start = null;
  });
}

// The end of a drag is no click on the link, and its beginning does not drag the link away.
stage.addEventListener("click", (event) => {
  if (dragged) event.preventDefault();
});
stage.addEventListener("dragstart", (event) => event.preventDefault());
