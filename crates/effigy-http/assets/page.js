// Updates the pictures when the fields change, lets the server draw a skin file, and copies URLs.
// Without this script the page still works: its form reloads it.

const DEFAULT_SIZE = 256;
const MAX_SIZE = 1024;
const MAX_FILE_BYTES = 1024 * 1024;
const TYPING_PAUSE_MS = 300;

const form = document.getElementById("desk");
const status = document.getElementById("status");
const slider = document.getElementById("slider");
const fileOptions = document.getElementById("worn");
const chooser = document.getElementById("skin");
const cards = [...document.querySelectorAll(".card")];
const figure = document.querySelector(".card.figure");
/** The parameters of the figure, which the URL leaves out. */
const FIGURE_DEFAULTS = { yaw: "25", pitch: "10", pose: "stand", light: "soft", cape: "true", overlay: "true" };

/** The skin file that is shown instead of a player, or null. */
let file = null;
/** Aborts the requests of the last update when the fields change again. */
let updates = new AbortController();
/** Whether a picture of the turned figure is on its way, and whether the figure was turned since. */
let turning = false;
let turnedAgain = false;

const segment = (text) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

function readFields() {
  const data = new FormData(form);
  const size = Number.parseInt(data.get("size"), 10);
  return {
    player: data.get("player").trim(),
    size: size >= 1 ? Math.min(size, MAX_SIZE) : DEFAULT_SIZE,
    direction: data.get("direction"),
    hat: data.has("hat"),
    behind: data.has("behind"),
    figure: Object.entries(FIGURE_DEFAULTS)
      .map(([name, value]) => [name, data.get(name), value])
      .filter(([, chosen, value]) => chosen !== value),
    model: document.querySelector("input[name=model]:checked").value,
  };
}

const isIsometric = (view) => view === "avatar" || view === "ioshead";

/** The segments after the player in the path of a picture. */
function pathParameters(view, { size, direction, hat }) {
  if (view === "skin") return "";
  if (isIsometric(view)) return `/${direction}/${size}`;
  return `/${size}${hat ? "/hat" : ""}`;
}

/** The query of a picture that only /v1/ has, or null. */
function v1Query(view, { size, direction, hat, behind, figure }) {
  if (view === "figure") return `?size=${size}${figure.map(([name, chosen]) => `&${name}=${chosen}`).join("")}`;
  if (isIsometric(view) && behind) return `?size=${size}&facing=back-${direction}`;
  return view === "bust" || view === "combo" ? `?size=${size}&overlay=${hat}` : null;
}

/** The URL of a picture of a player. */
function playerUrl(view, fields) {
  const [player, query] = [segment(fields.player), v1Query(view, fields)];
  return query ? `/v1/${view}/${player}${query}` : `/${view}/${player}${pathParameters(view, fields)}`;
}

/** The URL that draws a picture of a skin file. */
function previewUrl(view, fields) {
  const query = v1Query(view, fields);
  if (query) return `/v1/preview/${view}${query}&model=${fields.model}`;
  return `/preview/${view}${pathParameters(view, fields)}?model=${fields.model}`;
}

function showStatus(text, bad = false) {
  status.textContent = text;
  status.classList.toggle("bad", bad);
}

/** The message of an error response. */
async function errorMessage(response) {
  try {
    return (await response.json()).error;
  } catch {
    return `The server responded with status ${response.status}`;
  }
}

/** Fetches a picture. Throws the message of an error response. */
async function fetchPicture(url, options) {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(await errorMessage(response));
  return response.blob();
}

/** Returns the URL for the image of a card, once the picture has arrived. */
function loadPicture(card, fields, signal) {
  const { view } = card.dataset;
  if (!file) {
    const url = playerUrl(view, fields);
    showUrl(card, url, fields.player);
    // The image gets this URL, not a blob, so that "Copy image address" gives a useful one.
    return fetchPicture(url, { signal }).then(() => url);
  }
  showUrl(card, null, file.name);
  if (view === "skin") return Promise.resolve(URL.createObjectURL(file));
  return fetchPicture(previewUrl(view, fields), { method: "POST", body: file, signal }).then((blob) => URL.createObjectURL(blob));
}

/** Shows the URL of a card's picture, if it has one. */
function showUrl(card, url, subject) {
  const path = card.querySelector(".path");
  path.hidden = !url;
  path.textContent = url ?? "";
  for (const anchor of card.querySelectorAll("a")) {
    if (url) anchor.href = url;
    else anchor.removeAttribute("href");
  }
  card.querySelector(".copy").hidden = !url;
  card.dataset.subject = subject;
}

/** Shows a picture on a card, unless a later call for the same card has begun. */
async function show(card, fields, signal) {
  const call = Symbol();
  card.call = call;
  const isOld = () => signal.aborted || card.call !== call;
  const stage = card.querySelector(".stage");
  const picture = card.querySelector("img");
  const trouble = card.querySelector(".trouble");
  stage.classList.add("busy");
  try {
    const url = await loadPicture(card, fields, signal);
    if (isOld()) return;
    const previous = picture.src;
    picture.src = url;
    await picture.decode();
    if (previous.startsWith("blob:")) URL.revokeObjectURL(previous);
    showPicture(card);
  } catch (error) {
    if (isOld()) return;
    trouble.textContent = error instanceof TypeError ? "The server cannot be reached" : error.message;
    throw error;
  } finally {
    if (!isOld()) stage.classList.remove("busy");
  }
}

/** Shows the picture of a card. */
function showPicture(card) {
  const picture = card.querySelector("img");
  card.querySelector(".stage").classList.remove("failed");
  card.querySelector(".trouble").hidden = true;
  picture.alt = `${card.dataset.subject}: ${card.dataset.title.toLowerCase()}`;
  card.querySelector(".measure").textContent = `${picture.naturalWidth} × ${picture.naturalHeight}`;
}

/** Shows that the picture of a card failed. */
function showFailure(card) {
  card.querySelector(".stage").classList.add("failed");
  card.querySelector(".trouble").hidden = false;
  card.querySelector(".measure").textContent = "";
}

async function update() {
  const fields = readFields();
  if (!file && !fields.player) return;
  updates.abort();
  updates = new AbortController();
  const { signal } = updates;
  updatePageUrl(fields);
  const outcomes = await Promise.allSettled(
    cards.map((card) =>
      show(card, fields, signal).catch((error) => {
        if (!signal.aborted) showFailure(card);
        throw error;
      }),
    ),
  );
  if (signal.aborted) return;
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed) showStatus(failures(), true);
  else showStatus(`Showing ${file ? file.name : fields.player}.`);
}

/** Shows the turned figure. No other picture is requested until the last one has arrived, so a quick
 * turn takes few requests. */
async function turn() {
  turnedAgain = true;
  if (turning) return;
  turning = true;
  while (turnedAgain) {
    turnedAgain = false;
    const [fields, { signal }] = [readFields(), updates];
    if (!file && !fields.player) break;
    try {
      await show(figure, fields, signal);
    } catch {
      if (!signal.aborted) showFailure(figure);
    }
  }
  turning = false;
  updatePageUrl(readFields());
}

/** Returns the different messages on the cards. */
function failures() {
  const messages = cards
    .filter((card) => card.querySelector(".stage").classList.contains("failed"))
    .map((card) => card.querySelector(".trouble").textContent);
  return `${[...new Set(messages)].join(". ")}.`;
}

/** Updates the URL of the page, so that it can be shared. */
function updatePageUrl(fields) {
  if (file) return;
  const query = new URLSearchParams({ player: fields.player, size: fields.size, direction: fields.direction });
  if (fields.hat) query.set("hat", "hat");
  if (fields.behind) query.set("behind", "behind");
  for (const [name, chosen] of fields.figure) query.set(name, chosen);
  history.replaceState(null, "", `/?${query}`);
  for (const anchor of document.querySelectorAll(".players a")) {
    const here = anchor.textContent.toLowerCase() === fields.player.toLowerCase();
    if (here) anchor.setAttribute("aria-current", "true");
    else anchor.removeAttribute("aria-current");
  }
}

/** Shows a skin file instead of a player. */
async function openFile(chosen) {
  // The server may not take any.
  if (!chosen || document.getElementById("file").hidden) return;
  if (chosen.size > MAX_FILE_BYTES) {
    showStatus(`${chosen.name} is larger than 1 MiB, the limit for skin files.`, true);
    return;
  }
  file = chosen;
  document.getElementById("worn-name").textContent = chosen.name;
  fileOptions.hidden = false;
  const model = (await looksSlim(chosen)) ? "slim" : "classic";
  document.querySelector(`input[name=model][value=${model}]`).checked = true;
  await update();
}

/** Guesses the model: slim arms leave the last column of the right arm transparent. */
async function looksSlim(chosen) {
  try {
    const bitmap = await createImageBitmap(chosen);
    if (bitmap.width !== bitmap.height) return false;
    const canvas = new OffscreenCanvas(64, 64);
    const context = canvas.getContext("2d");
    context.imageSmoothingEnabled = false;
    context.drawImage(bitmap, 0, 0, 64, 64);
    return context.getImageData(54, 20, 1, 1).data[3] === 0;
  } catch {
    return false;
  }
}

/** Shows the player again. */
function closeFile() {
  file = null;
  chooser.value = "";
  fileOptions.hidden = true;
  form.elements.player.focus();
  update();
}

const attribute = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
const COPY_FORMATS = {
  url: ({ url }) => url,
  html: ({ url, name, width, height }) =>
    `<img src="${attribute(url)}" width="${width}" height="${height}" alt="${attribute(name)}">`,
  markdown: ({ url, name }) => `![${name.replace(/[[\]\\]/g, "\\$&")}](${url})`,
  bbcode: ({ url }) => `[img]${url}[/img]`,
};

async function copy(button) {
  const card = button.closest(".card");
  const picture = card.querySelector("img");
  const text = COPY_FORMATS[button.dataset.copy]({
    url: new URL(card.querySelector(".path").href).href,
    name: card.dataset.subject,
    width: picture.naturalWidth,
    height: picture.naturalHeight,
  });
  if (!(await toClipboard(text))) {
    showStatus(`Copying failed. The text is: ${text}`, true);
    return;
  }
  showStatus(`Copied: ${text}`);
  button.classList.add("done");
  setTimeout(() => button.classList.remove("done"), 1500);
}

/** Copies a text. Pages without TLS have only the deprecated clipboard. */
async function toClipboard(text) {
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
document.addEventListener("input", (event) => {
  if (event.target.form !== form || event.target === chooser) return;
  if (event.target.name in FIGURE_DEFAULTS) {
    turn();
    return;
  }
  if (event.target === slider) form.elements.size.value = slider.value;
  else if (event.target.name === "size") slider.value = event.target.value;
  if (event.target.name === "player" && file) return;
  clearTimeout(pause);
  pause = setTimeout(update, TYPING_PAUSE_MS);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(pause);
  if (file) closeFile();
  else update();
});
fileOptions.addEventListener("change", update);
document.getElementById("back").addEventListener("click", closeFile);
chooser.addEventListener("change", () => openFile(chooser.files[0]));
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copy(button);
  const player = event.target.closest(".players a");
  if (!player || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  form.elements.player.value = player.textContent;
  if (file) closeFile();
  else update();
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

root.classList.add("live");
update();
