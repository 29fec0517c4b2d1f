// Loads the page in the background when a field changes, and replaces the parts that differ. Everything but skin
// files works without this script: the form and the links load the page. Skin files are drawn by the element
// <effigy-figure> that turns the figure. Browsers that do not have the element show the server's pictures.

const MAX_FILE_BYTES = 1024 * 1024;
const PAUSE_MS = 300;
const TYPING_PAUSE_MS = 1000;
/** Matches complete names of players, so that half a name is not looked up. */
const PLAYER = /^(@?\w{3,16}|\..{3,}|0000\d{12,}|[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
/** The attributes that are taken over from the new page. */
const ATTRIBUTES = [
  "alt", "class", "content", "data-now", "download", "height", "hidden", "href", "placeholder", "player", "src",
  "srcset", "width",
];
const MOVING_FORMATS = ["apng", "gif"];
/** The distance from the window in which the small pictures of a file are drawn. */
const NEAR = "200px";
const DEFAULT_SIZE = 192;
/** The stage shows larger pictures in this size. */
const LARGEST_SHOWN = 424;
const COPIED_MS = 2000;
/** The time after which the page says which player it is looking for. */
const SLOW_MS = 500;

const form = document.getElementById("desk");
const player = document.getElementById("player");
const stage = document.getElementById("stage");
const picture = document.getElementById("picture");
const chooser = document.getElementById("skin");
const model = document.getElementById("model");
const moving = document.getElementById("moving");
const search = document.getElementById("search-pose");
const thumbnails = [...document.querySelectorAll("[data-query]")];
const download = document.getElementById("worn-picture");
const [yaw, pitch] = ["yaw", "pitch"].map((id) => document.getElementById(id));
const sliders = [...document.querySelectorAll("[data-of]")];
/** The sliders of the axes of limbs. */
const axes = [...document.querySelectorAll("[data-limb]")];

/** The skin file that is shown instead of a player, or null. */
let file = null;
/** The query of the page that is shown. */
let shownSearch = location.search;
/** The format of pictures that do not move. */
let stillFormat = "";
/** The small pictures that do not show the file yet, and the ones that are near the window. */
const undrawn = new Set();
const near = new Set();
/** Aborts the last update when the fields change again. */
let updates = new AbortController();

function showStatus(text, isBad = false) {
  const status = document.getElementById("status");
  status.textContent = text;
  status.className = isBad ? "bad" : "";
  for (const id of ["instead", "note"]) document.getElementById(id).hidden = true;
}

/** The parameters of the page with the fields as they are. */
function parameters() {
  const query = new URLSearchParams(new FormData(form));
  for (const [name, value] of [...query]) {
    if (!value.trim()) query.delete(name);
  }
  if (!query.has("size")) query.set("size", DEFAULT_SIZE);
  return query;
}

/** Updates an element from another copy of the page. A picture that could not be loaded is requested again. */
function take(fresh) {
  const old = document.getElementById(fresh.id);
  const isBroken = old.complete && !old.naturalWidth;
  for (const name of ATTRIBUTES) {
    const value = fresh.getAttribute(name);
    if (value === old.getAttribute(name) && !(isBroken && name === "src")) continue;
    if (value === null) old.removeAttribute(name);
    else old.setAttribute(name, value);
  }
  if (!fresh.childElementCount && old.textContent !== fresh.textContent) old.textContent = fresh.textContent;
}

/** Copies the fields to the figure, and disables those that the chosen view does not have. */
function applyFields() {
  const view = new FormData(form).get("view");
  for (const field of form.querySelectorAll("[data-views]")) {
    field.disabled = !field.dataset.views.split(" ").includes(view);
  }
  placeSliders();
  const { cape, format } = form.elements;
  moving.checked = MOVING_FORMATS.includes(format.value);
  if (!moving.checked) stillFormat = format.value;
  // A file has no cape, is never missing, and is drawn as PNG.
  cape.disabled ||= Boolean(file);
  for (const field of [format, moving, form.elements.default]) field.disabled = Boolean(file);
  const query = parameters();
  for (const name of new Set([...form.elements].map((field) => field.name))) {
    if (!name || name === "player" || name === "format") continue;
    if (query.has(name)) stage.setAttribute(name, query.get(name));
    else stage.removeAttribute(name);
  }
  // These do not grow with the picture.
  const isFixed = query.has("padding") || query.has("outline-width");
  if (!isFixed) stage.setAttribute("size", Math.min(query.get("size"), LARGEST_SHOWN));
}

/** Moves the sliders to the values of the fields, or to the angles of the pose if a field is empty. */
function placeSliders() {
  for (const slider of sliders) slider.value = form.elements[slider.dataset.of].value || slider.dataset.now;
  for (const [at, slider] of axes.entries()) {
    const angles = form.elements[slider.dataset.limb].value.split(",");
    slider.value = angles.length === 3 ? angles[at % 3] : slider.dataset.now;
  }
}

/** Shows the figure with the value of a slider. The page changes when the slider is released. */
function slide(slider) {
  const { of, limb } = slider.dataset;
  const field = form.elements[of ?? limb];
  if (of) field.value = slider.value;
  else field.value = axes.filter((axis) => axis.dataset.limb === limb).map((axis) => axis.value).join(",");
  stage.load?.();
  stage.setAttribute(field.name, field.value);
  // The picture inside would not show it.
  stage.yaw = stage.yaw;
}

/** Shows the player or the file with the fields as they are. */
async function update() {
  updates.abort();
  updates = new AbortController();
  const { signal } = updates;
  applyFields();
  const name = player.value.trim();
  document.body.classList.toggle("busy", Boolean(file || name));
  if (!file && !name) return;
  const slow = file ? null : setTimeout(showStatus, SLOW_MS, `Looking for ${name}.`);
  try {
    await (file ? showFile(signal) : showPlayer(signal)).finally(() => clearTimeout(slow));
    await picture.decode().catch(() => {});
    if (!signal.aborted) stage.rest?.();
  } catch (error) {
    if (!signal.aborted) showStatus(error instanceof TypeError ? "The server cannot be reached." : error.message, true);
  } finally {
    if (!signal.aborted) document.body.classList.remove("busy");
  }
}

/** The address of the page that is shown. */
function address() {
  return new URL(document.getElementById("canonical").href);
}

/** Loads another copy of the page with the fields as they are, and shows its parts. */
async function showPlayer(signal) {
  const response = await fetch(`./?${parameters()}`, { signal });
  if (!response.ok) {
    const { error } = await response.json().catch(() => ({}));
    throw error ? new Error(error) : new TypeError();
  }
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const before = address().searchParams.get("player");
  for (const fresh of page.querySelectorAll("[data-live]")) take(fresh);
  placeSliders();
  const { search, searchParams } = address();
  // The Back button leads to the last player.
  history[searchParams.get("player") === before ? "replaceState" : "pushState"](null, "", search);
  shownSearch = search;
  // A text that was copied from elsewhere is replaced by the player.
  if (/[@/]/.test(player.value)) player.value = searchParams.get("player");
  markPlayer();
}

/** Marks the player of the list who is shown. */
function markPlayer() {
  const shown = stage.hasAttribute("player") && !file && player.value.trim().toLowerCase();
  for (const link of document.querySelectorAll(".players a")) {
    if (link.textContent.trim().toLowerCase() === shown) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

/** Gives an element the URL of a PNG of the file. Returns its pixels, or fails with the reason. */
async function draw(element, attribute, query, signal) {
  const image = stage.draw(query);
  const canvas = new OffscreenCanvas(image.width, image.height);
  // A 2D context would keep the colors of faint pixels rounded.
  const bitmap = await createImageBitmap(image, { premultiplyAlpha: "none" });
  canvas.getContext("bitmaprenderer").transferFromImageBitmap(bitmap);
  const drawn = await canvas.convertToBlob();
  signal.throwIfAborted();
  URL.revokeObjectURL(element[attribute]);
  element[attribute] = URL.createObjectURL(drawn);
  return image;
}

/** Draws the file in a small picture, as sharp as the screen. */
async function drawSmall(image, signal) {
  const query = new URLSearchParams(image.dataset.query);
  query.set("size", Math.round(query.get("size") * devicePixelRatio));
  image.removeAttribute("srcset");
  await draw(image, "src", query, signal);
  image.srcset = `${image.src} ${devicePixelRatio}x`;
}

/** Draws the file in the small pictures near the window. The others wait. */
async function drawNear(signal) {
  const waiting = [...undrawn].filter((image) => near.has(image));
  for (const image of waiting) undrawn.delete(image);
  await Promise.all(waiting.map((image) => drawSmall(image, signal)));
}

/** Draws the file for the download and in small pictures. The stage draws it by itself. */
async function showFile(signal) {
  const query = parameters();
  for (const name of ["player", "format"]) query.delete(name);
  if (!form.elements.size.validity.valid) query.set("size", DEFAULT_SIZE);
  for (const image of thumbnails) undrawn.add(image);
  const [{ width, height }] = await Promise.all([draw(download, "href", query, signal), drawNear(signal)]);
  download.download = `${file.name.replace(/\.png$/i, "")}-${query.get("view")}.png`;
  document.getElementById("measure").textContent = `${width} × ${height}`;
  document.getElementById("draggable").hidden = yaw.disabled;
  showStatus(`Showing ${file.name}.`);
}

/** Shows a skin file instead of a player, with these arms or those that it seems to have. */
async function openFile(chosen, arms) {
  if (!chosen) return;
  if (chosen.size > MAX_FILE_BYTES) {
    showStatus(`${chosen.name} is larger than 1 MiB, the limit for skin files.`, true);
    return;
  }
  updates.abort();
  document.body.classList.add("busy");
  try {
    // A copy, because the file may change.
    const kept = new File([await chosen.arrayBuffer()], chosen.name);
    model.value = await stage.show(kept, arms);
    await wear(kept);
  } catch (error) {
    if (error.name !== "AbortError") refuse(chosen, error);
  }
}

/** Shows a file that can be drawn. */
function wear(chosen) {
  file = chosen;
  picture.alt = document.getElementById("worn-name").textContent = file.name;
  setShown({ worn: true, use: false, address: false });
  markPlayer();
  return update();
}

/** Says why a file cannot be drawn. */
function refuse(chosen, error) {
  const why = error.name === "Error" ? `Not a skin: ${error.message}` : "This browser cannot draw skin files.";
  document.body.classList.remove("busy");
  if (file) {
    showStatus(`Still showing ${file.name}. ${why}`, true);
    return;
  }
  closeFile();
  stage.removeAttribute("player");
  markPlayer();
  picture.removeAttribute("srcset");
  picture.src = form.dataset.nobody;
  picture.alt = "No skin";
  document.getElementById("measure").textContent = "";
  setShown({ use: false, address: false, draggable: false });
  showStatus(why, true);
}

/** Shows and hides elements by their ids. */
function setShown(shown) {
  for (const [id, isShown] of Object.entries(shown)) document.getElementById(id).hidden = !isShown;
}

function closeFile() {
  file = null;
  undrawn.clear();
  stage.show?.(null);
  chooser.value = "";
  setShown({ worn: false });
}

/** Copies a text. Pages without TLS have only the deprecated clipboard. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "unseen";
    document.body.append(area);
    const before = document.activeElement;
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    before?.focus();
    return done;
  }
}

let pause;
/** Updates the page, unless the fields change again within this time. */
function updateAfter(milliseconds) {
  updates.abort();
  clearTimeout(pause);
  pause = setTimeout(update, milliseconds);
}

/** Returns true for a slider, which moves the figure by itself. */
const isSlider = ({ dataset }) => Boolean(dataset.of || dataset.limb);

form.addEventListener("input", ({ target, inputType }) => {
  if (target === stage) {
    yaw.value = Math.round(stage.yaw);
    pitch.value = Math.round(stage.pitch);
    placeSliders();
  } else if (isSlider(target)) {
    slide(target);
  } else if (target === player) {
    if (file) return;
    clearTimeout(pause);
    if (inputType === "insertFromPaste") updateAfter(0);
    else if (PLAYER.test(player.value.trim())) updateAfter(TYPING_PAUSE_MS);
  } else if (target.form === form && ![chooser, model].includes(target)) {
    updateAfter({ number: PAUSE_MS, text: TYPING_PAUSE_MS }[target.type] ?? 0);
  }
});
// The figure draws itself while it turns. The page changes when it is released.
form.addEventListener("change", ({ target }) => {
  if (target === stage || isSlider(target)) updateAfter(PAUSE_MS);
});
// A double click resets the figure to the angles of its pose, so the fields must not override them.
stage.addEventListener("dblclick", () => {
  for (const field of [yaw, pitch]) {
    field.value = "";
    stage.removeAttribute(field.id);
  }
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(pause);
  if (file) closeFile();
  update();
});
model.addEventListener("change", () => openFile(file, model.value));
// A color or a player that is not listed is added to the list.
for (const other of document.querySelectorAll("[data-adds-to]")) {
  other.addEventListener("change", () => {
    const value = other.value.replace("#", "").trim();
    if (!value) return;
    const list = form.elements[other.dataset.addsTo];
    const known = [...list.options].find((option) => option.value === value);
    const option = known ?? list.appendChild(new Option(other.value, value));
    option.selected = true;
    update();
  });
}
moving.addEventListener("change", () => {
  const { format, size } = form.elements;
  format.value = moving.checked ? MOVING_FORMATS[0] : stillFormat;
  const { maxSize } = moving.dataset;
  if (moving.checked && Number(size.value) > maxSize) size.value = maxSize;
  update();
});
document.getElementById("reset-limbs").addEventListener("click", () => {
  for (const slider of [...sliders, ...axes]) {
    const field = form.elements[slider.dataset.of ?? slider.dataset.limb];
    if (![yaw, pitch].includes(field)) field.value = "";
  }
  update();
});
search.addEventListener("input", () => {
  const words = search.value.trim().toLowerCase();
  const box = document.getElementById("poses");
  for (const label of box.querySelectorAll("label")) label.hidden = !label.dataset.words.includes(words);
  for (const part of box.querySelectorAll(".group")) part.hidden = !part.querySelector("label:not([hidden])");
  document.getElementById("none-pose").hidden = Boolean(box.querySelector("label:not([hidden])"));
});
// The pictures of a group are loaded when it scrolls into the box.
const opener = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) target.classList.add("seen");
  }
});
for (const part of document.querySelectorAll(".group")) opener.observe(part);
const seer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) near[isIntersecting ? "add" : "delete"](target);
  if (file) drawNear(updates.signal).catch(() => {});
}, { rootMargin: NEAR });
for (const image of thumbnails) seer.observe(image);
document.getElementById("back").addEventListener("click", () => {
  closeFile();
  player.focus();
  update();
});
chooser.addEventListener("change", () => {
  const [chosen] = chooser.files;
  // Lets the visitor choose the same file again after a change.
  chooser.value = "";
  openFile(chosen);
});
stage.addEventListener("error", ({ detail }) => showStatus(detail.message, true));

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) {
    const text = document.getElementById(button.dataset.copy).textContent;
    const isCopied = await copy(text);
    showStatus(isCopied ? `Copied: ${text}` : `Copying failed. The text is: ${text}`, !isCopied);
    if (isCopied) {
      const label = button.firstChild;
      label.data = "Copied";
      setTimeout(() => (label.data = "Copy"), COPIED_MS);
    }
  }
  const link = event.target.closest("a[href^='./?']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  player.value = new URL(link.href).searchParams.get("player");
  // This link hides itself.
  if (link.id === "instead") player.focus();
  if (file) closeFile();
  update();
});

// A link within the page leads to the same query.
addEventListener("popstate", () => location.search !== shownSearch && location.reload());

const root = document.documentElement;
const carriesFile = (event) => event.dataTransfer?.types.includes("Files");
document.addEventListener("dragover", (event) => {
  if (!carriesFile(event)) return;
  event.preventDefault();
  root.classList.add("dropping");
});
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) root.classList.remove("dropping");
});
document.addEventListener("drop", (event) => {
  root.classList.remove("dropping");
  if (!carriesFile(event)) return;
  event.preventDefault();
  openFile(event.dataTransfer.files[0]);
});

// In one column, the texts to copy come after the choices, for the keyboard and screen readers too.
const column = matchMedia("(max-width: 50rem)");
const arrange = () => {
  const focused = document.activeElement;
  document.querySelector(column.matches ? "#choices" : ".exhibit").after(document.getElementById("use"));
  focused.focus({ preventScroll: true });
};
column.addEventListener("change", arrange);

arrange();
applyFields();
markPlayer();
root.classList.add("live");

// The figure turns once when the visitor first moves the pointer or scrolls, but not after a click or a key.
if (!location.search) {
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
  for (const type of ["pointermove", "scroll"]) addEventListener(type, greet, { signal: signs.signal });
  for (const type of ["pointerdown", "keydown"]) addEventListener(type, stop);
}
