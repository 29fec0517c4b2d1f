// Loads the page in the background when a field changes, and replaces the parts that differ.
// Everything except skin files works without this script: the form and the links load the page.
// Skin files are drawn by the element <effigy-figure>, which also turns the figure. Browsers that
// lack the element show the server's pictures.

const MAX_FILE_BYTES = 1024 * 1024;
const PAUSE_MS = 300;
const TYPING_PAUSE_MS = 1000;
/** Match complete names of players, so that half a name is not looked up. */
const NAMES = [
  /^@?\w{3,16}$/,
  /^\..{3,}$/,
  /^0000\d{12,}$/,
  /^[0-9a-f]{32}$/i,
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
];
/** The attributes that are copied from the new page. */
const ATTRIBUTES = [
  "alt", "class", "content", "data-now", "download", "height", "hidden", "href", "placeholder",
  "player", "src", "srcset", "width",
];
const MOVING_FORMATS = ["apng", "gif"];
/** Small pictures of a file are drawn at this distance from the window. */
const NEAR = "200px";
const DEFAULT_SIZE = 192;
/** The size in which the stage shows larger pictures. */
const LARGEST_SHOWN = 424;
const COPIED_MS = 2000;
/** The page names the player whom it waits for after this time. */
const SLOW_MS = 500;

const form = document.getElementById("desk");
const player = document.getElementById("player");
const stage = document.getElementById("stage");
const picture = document.getElementById("picture");
const chooser = document.getElementById("skin");
const model = document.getElementById("model");
const moving = document.getElementById("moving");
const thumbnails = [...document.querySelectorAll("[data-query]")];
const download = document.getElementById("worn-picture");
const yaw = document.getElementById("yaw");
const pitch = document.getElementById("pitch");
const sliders = [...document.querySelectorAll("[data-of]")];
/** The sliders of limbs: three for each one, in the order of the angles in its field. */
const axes = [...document.querySelectorAll("[data-limb]")];

/** The skin file that is shown instead of a player, or null. */
let file = null;
/** The query of the page that is shown. */
let shownSearch = location.search;
/** The format of pictures that do not move. */
let stillFormat = "";
/** The small pictures that do not show the file yet. */
const undrawn = new Set();
/** The small pictures that a visitor may see. */
const near = new Set();
/** Aborts the last update when a field changes again. */
let updates = new AbortController();

function showStatus(text, isBad = false) {
  const status = document.getElementById("status");
  status.textContent = text;
  status.className = isBad ? "bad" : "";
  for (const id of ["instead", "note"]) document.getElementById(id).hidden = true;
}

/** Returns the parameters of the page with the current values of the fields. */
function parameters() {
  const query = new URLSearchParams(new FormData(form));
  for (const [name, value] of [...query]) {
    if (!value.trim()) query.delete(name);
  }
  if (!query.has("size")) query.set("size", DEFAULT_SIZE);
  return query;
}

/**
 * Copies an element from another copy of the page. A picture that could not be loaded is requested
 * once more.
 */
function take(fresh) {
  const old = document.getElementById(fresh.id);
  const isBroken = old.complete && !old.naturalWidth;
  for (const name of ATTRIBUTES) {
    const value = fresh.getAttribute(name);
    const isRequestedAgain = isBroken && name === "src";
    if (value === old.getAttribute(name) && !isRequestedAgain) continue;
    if (value === null) old.removeAttribute(name);
    else old.setAttribute(name, value);
  }
  const isText = !fresh.childElementCount;
  if (isText && old.textContent !== fresh.textContent) old.textContent = fresh.textContent;
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
  // A padding and a line do not shrink with the picture.
  const isFixed = query.has("padding") || query.has("outline-width");
  if (!isFixed) stage.setAttribute("size", Math.min(query.get("size"), LARGEST_SHOWN));
}

/** Moves the sliders to the values of the fields. For an empty field, the pose has the value. */
function placeSliders() {
  for (const slider of sliders) {
    const field = form.elements[slider.dataset.of];
    slider.value = field.value || slider.dataset.now;
  }
  for (const [at, slider] of axes.entries()) {
    const angles = form.elements[slider.dataset.limb].value.split(",");
    slider.value = angles.length === 3 ? angles[at % 3] : slider.dataset.now;
  }
}

/** Shows the figure with the value of a slider. The page changes when the slider is released. */
function slide(slider) {
  const { of, limb } = slider.dataset;
  const field = form.elements[of ?? limb];
  if (of) {
    field.value = slider.value;
  } else {
    const limbAxes = axes.filter((axis) => axis.dataset.limb === limb);
    field.value = limbAxes.map((axis) => axis.value).join(",");
  }
  stage.load?.();
  stage.setAttribute(field.name, field.value);
  // Setting the yaw, even to the same value, makes the element draw the figure. Otherwise, it would
  // keep the picture inside, which does not show the value.
  stage.yaw = stage.yaw;
}

/** Shows the picture that the fields describe. */
async function update() {
  updates.abort();
  updates = new AbortController();
  const { signal } = updates;
  applyFields();
  const name = player.value.trim();
  document.body.classList.toggle("busy", Boolean(file || name));
  if (!file && !name) return;
  try {
    if (file) await showFile(signal);
    else await showPlayer(name, signal);
    await picture.decode().catch(() => {});
    if (!signal.aborted) stage.rest?.();
  } catch (error) {
    const message = error instanceof TypeError ? "The server cannot be reached." : error.message;
    if (!signal.aborted) showStatus(message, true);
  } finally {
    if (!signal.aborted) document.body.classList.remove("busy");
  }
}

/** Returns the address of the page that is shown. */
function address() {
  return new URL(document.getElementById("canonical").href);
}

/** Shows a player. The status says so if that takes long. */
async function showPlayer(name, signal) {
  const slow = setTimeout(showStatus, SLOW_MS, `Looking for ${name}.`);
  try {
    takePage(await loadPage(signal));
  } finally {
    clearTimeout(slow);
  }
}

/** Loads another copy of the page. */
async function loadPage(signal) {
  const response = await fetch(`./?${parameters()}`, { signal });
  if (!response.ok) {
    const { error } = await response.json().catch(() => ({}));
    throw error ? new Error(error) : new TypeError();
  }
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

/** Shows the content of another copy of the page. */
function takePage(page) {
  const before = address().searchParams.get("player");
  for (const fresh of page.querySelectorAll("[data-live]")) take(fresh);
  placeSliders();
  const { search, searchParams } = address();
  const shown = searchParams.get("player");
  // The back button leads to the player before.
  if (shown === before) history.replaceState(null, "", search);
  else history.pushState(null, "", search);
  shownSearch = search;
  // The server ignores a substitute who is missing.
  form.elements.default.value = searchParams.get("default") ?? "";
  // A text that was copied from elsewhere is replaced by the player.
  if (/[@/]/.test(player.value)) player.value = shown;
  markPlayer();
}

/** Marks the shown player in the list. */
function markPlayer() {
  const shown = stage.hasAttribute("player") && !file && player.value.trim().toLowerCase();
  for (const link of document.querySelectorAll(".players a")) {
    if (link.textContent.trim().toLowerCase() === shown) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

/** Draws the file, and sets an attribute to the URL of the PNG. Returns the pixels. */
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

/** Draws the file in the small pictures that a visitor may see. The others wait. */
async function drawNear(signal) {
  const waiting = [...undrawn].filter((image) => near.has(image));
  for (const image of waiting) undrawn.delete(image);
  await Promise.all(waiting.map((image) => drawSmall(image, signal)));
}

/** Draws the file as the fields describe it. The stage draws by itself. */
async function showFile(signal) {
  const query = parameters();
  for (const name of ["player", "format"]) query.delete(name);
  if (!form.elements.size.validity.valid) query.set("size", DEFAULT_SIZE);
  for (const image of thumbnails) undrawn.add(image);
  const drawn = draw(download, "href", query, signal);
  const [{ width, height }] = await Promise.all([drawn, drawNear(signal)]);
  download.download = `${file.name.replace(/\.png$/i, "")}-${query.get("view")}.png`;
  document.getElementById("measure").textContent = `${width} × ${height}`;
  document.getElementById("draggable").hidden = yaw.disabled;
  showStatus(`Showing ${file.name}.`);
}

/** Shows a skin file instead of a player. Without a model, it is guessed from the file. */
async function openFile(chosen, chosenModel) {
  if (!chosen) return;
  if (chosen.size > MAX_FILE_BYTES) {
    showStatus(`${chosen.name} is larger than 1 MiB, the limit for skin files.`, true);
    return;
  }
  clearTimeout(pause);
  updates.abort();
  document.body.classList.add("busy");
  try {
    // A copy, because the file may change later.
    const kept = new File([await chosen.arrayBuffer()], chosen.name);
    model.value = await stage.show(kept, chosenModel);
    await wear(kept);
  } catch (error) {
    if (error.name !== "AbortError") await refuse(error);
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

/** Says why a file cannot be drawn. The player or the file before it stays. */
async function refuse(error) {
  const isFileWrong = error.name === "Error";
  const reason = isFileWrong
    ? `Not a skin: ${error.message}`
    : "This browser cannot draw skin files.";
  // The update that was aborted is done again.
  await update();
  showStatus(file ? `Still showing ${file.name}. ${reason}` : reason, true);
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
/** Shows the picture that the fields describe, unless they change again within this time. */
function updateAfter(milliseconds) {
  updates.abort();
  clearTimeout(pause);
  pause = setTimeout(update, milliseconds);
}

/** Returns true for a slider, which changes the figure by itself. */
const isSlider = ({ dataset }) => Boolean(dataset.of || dataset.limb);

/** Looks a player up whose name is complete. */
function nameChanged(inputType) {
  if (file) return;
  clearTimeout(pause);
  const name = player.value.trim();
  if (inputType === "insertFromPaste") updateAfter(0);
  else if (NAMES.some((pattern) => pattern.test(name))) updateAfter(TYPING_PAUSE_MS);
}

form.addEventListener("input", ({ target, inputType }) => {
  if (target === stage) {
    yaw.value = Math.round(stage.yaw);
    pitch.value = Math.round(stage.pitch);
    placeSliders();
  } else if (isSlider(target)) {
    slide(target);
  } else if (target === player) {
    nameChanged(inputType);
  } else if (target.form === form && ![chooser, model].includes(target)) {
    const pauses = { number: PAUSE_MS, text: TYPING_PAUSE_MS };
    updateAfter(pauses[target.type] ?? 0);
  }
});
// While it turns, the figure draws itself. The page changes when the figure is released.
form.addEventListener("change", ({ target }) => {
  if (target === stage || isSlider(target)) updateAfter(PAUSE_MS);
});
// A double click turns the figure to the side of its pose, not to that of the fields.
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
// A color or a player that is not in the list is added to it.
for (const other of document.querySelectorAll("[data-adds-to]")) {
  other.addEventListener("change", () => {
    const value = other.value.replace("#", "").trim();
    if (!value) return;
    const list = form.elements[other.dataset.addsTo];
    const known = [...list.options].find((option) => option.value === value);
    const option = known ?? list.appendChild(new Option(other.value, value));
    option.selected = true;
    if (other.type !== "color") other.value = "";
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
const seer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) near.add(target);
    else near.delete(target);
  }
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
  // So that a changed file of the same name can be chosen again.
  chooser.value = "";
  openFile(chosen);
});
stage.addEventListener("error", ({ detail }) => showStatus(detail.message, true));

/** Copies the text that a button names, and says so. */
async function copyFor(button) {
  const text = document.getElementById(button.dataset.copy).textContent;
  if (!(await copy(text))) {
    showStatus(`Copying failed. The text is: ${text}`, true);
    return;
  }
  showStatus(`Copied: ${text}`);
  const label = button.firstChild;
  label.data = "Copied";
  setTimeout(() => (label.data = "Copy"), COPIED_MS);
}

/** Shows the player of a link to this page. */
function follow(link) {
  player.value = new URL(link.href).searchParams.get("player");
  // This link hides itself.
  if (link.id === "instead") player.focus();
  if (file) closeFile();
  update();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copyFor(button);
  const link = event.target.closest("a[href^='./?']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  follow(link);
});

// A link within the page leads to the same query.
addEventListener("popstate", () => {
  if (location.search !== shownSearch) location.reload();
});

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

applyFields();
markPlayer();
root.classList.add("live");
