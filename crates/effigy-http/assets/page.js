// The page, live: pictures follow the fields, a skin file is drawn by the server, and one click
// copies an address. Without this file the page still works: its form reloads it.

const DEFAULT_SIZE = 256;
const LARGEST_SIZE = 1024;
const LARGEST_FILE = 1024 * 1024;
const TYPING_PAUSE = 300;

const desk = document.getElementById("desk");
const status = document.getElementById("status");
const slider = document.getElementById("slider");
const worn = document.getElementById("worn");
const chooser = document.getElementById("skin");
const cards = [...document.querySelectorAll(".card")];

/** The skin file that is shown instead of a player, if any. */
let file = null;
/** What is under way for the fields as they were; a change ends it. */
let round = new AbortController();

const segment = (text) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

function wishes() {
  const fields = new FormData(desk);
  const size = Number.parseInt(fields.get("size"), 10);
  return {
    player: fields.get("player").trim(),
    size: size >= 1 ? Math.min(size, LARGEST_SIZE) : DEFAULT_SIZE,
    direction: fields.get("direction"),
    hat: fields.has("hat"),
    behind: fields.has("behind"),
    model: document.querySelector("input[name=model]:checked").value,
  };
}

const isIsometric = (view) => view === "avatar" || view === "ioshead";

/** What follows the player in a picture's path. */
function parameters(view, { size, direction, hat }) {
  if (view === "skin") return "";
  if (isIsometric(view)) return `/${direction}/${size}`;
  return `/${size}${hat ? "/hat" : ""}`;
}

/** The query of a picture that is to be had under /v1/ alone; nothing for the others. */
function beyond(view, { size, direction, hat, behind }) {
  if (isIsometric(view) && behind) return `?size=${size}&facing=back-${direction}`;
  return view === "bust" || view === "combo" ? `?size=${size}&overlay=${hat}` : null;
}

/** The address of a picture of a player. */
function address(view, wish) {
  const [player, query] = [segment(wish.player), beyond(view, wish)];
  return query ? `/v1/${view}/${player}${query}` : `/${view}/${player}${parameters(view, wish)}`;
}

/** The address where a picture of a skin file is drawn. */
function workshop(view, wish) {
  const query = beyond(view, wish);
  if (query) return `/v1/preview/${view}${query}&model=${wish.model}`;
  return `/preview/${view}${parameters(view, wish)}?model=${wish.model}`;
}

function say(text, bad = false) {
  status.textContent = text;
  status.classList.toggle("bad", bad);
}

/** What an error of the service says. */
async function reason(answer) {
  try {
    return (await answer.json()).error;
  } catch {
    return `The server answered ${answer.status}`;
  }
}

/** Fetches a picture; what the service says against it is thrown. */
async function fetched(url, options) {
  const answer = await fetch(url, options);
  if (!answer.ok) throw new Error(await reason(answer));
  return answer.blob();
}

function drawn(card, wish, signal) {
  const { view } = card.dataset;
  if (!file) {
    const url = address(view, wish);
    link(card, url, wish.player);
    // The picture itself is taken from its address: who copies that from it gets a useful one.
    return fetched(url, { signal }).then(() => url);
  }
  link(card, null, file.name);
  if (view === "skin") return Promise.resolve(URL.createObjectURL(file));
  return fetched(workshop(view, wish), { method: "POST", body: file, signal }).then((blob) => URL.createObjectURL(blob));
}

/** Shows a card's address, where the picture has one. */
function link(card, url, subject) {
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

async function show(card, wish, signal) {
  const stage = card.querySelector(".stage");
  const picture = card.querySelector("img");
  const trouble = card.querySelector(".trouble");
  stage.classList.add("busy");
  try {
    const url = await drawn(card, wish, signal);
    if (signal.aborted) return;
    const previous = picture.src;
    picture.src = url;
    await picture.decode();
    if (previous.startsWith("blob:")) URL.revokeObjectURL(previous);
    settle(card);
  } catch (error) {
    if (signal.aborted) return;
    trouble.textContent = error instanceof TypeError ? "The server cannot be reached" : error.message;
    throw error;
  } finally {
    if (!signal.aborted) stage.classList.remove("busy");
  }
}

/** A card whose picture has come. */
function settle(card) {
  const picture = card.querySelector("img");
  card.querySelector(".stage").classList.remove("failed");
  card.querySelector(".trouble").hidden = true;
  picture.alt = `${card.dataset.subject}: ${card.dataset.title.toLowerCase()}`;
  card.querySelector(".measure").textContent = `${picture.naturalWidth} × ${picture.naturalHeight}`;
}

/** A card whose picture does not come. */
function fail(card) {
  card.querySelector(".stage").classList.add("failed");
  card.querySelector(".trouble").hidden = false;
  card.querySelector(".measure").textContent = "";
}

async function update() {
  const wish = wishes();
  if (!file && !wish.player) return;
  round.abort();
  round = new AbortController();
  const { signal } = round;
  remember(wish);
  const outcomes = await Promise.allSettled(
    cards.map((card) =>
      show(card, wish, signal).catch((error) => {
        if (!signal.aborted) fail(card);
        throw error;
      }),
    ),
  );
  if (signal.aborted) return;
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed) say(trouble(), true);
  else say(`Showing ${file ? file.name : wish.player}.`);
}

/** Every message on the cards, once. */
function trouble() {
  const messages = cards
    .filter((card) => card.querySelector(".stage").classList.contains("failed"))
    .map((card) => card.querySelector(".trouble").textContent);
  return `${[...new Set(messages)].join(". ")}.`;
}

/** Keeps the page's own address in step, so that it can be shared. */
function remember(wish) {
  if (file) return;
  const query = new URLSearchParams({ player: wish.player, size: wish.size, direction: wish.direction });
  if (wish.hat) query.set("hat", "hat");
  if (wish.behind) query.set("behind", "behind");
  history.replaceState(null, "", `/?${query}`);
  for (const anchor of document.querySelectorAll(".players a")) {
    const here = anchor.textContent.toLowerCase() === wish.player.toLowerCase();
    if (here) anchor.setAttribute("aria-current", "true");
    else anchor.removeAttribute("aria-current");
  }
}

/** Wears a skin file. */
async function wear(chosen) {
  if (!chosen) return;
  if (chosen.size > LARGEST_FILE) {
    say(`${chosen.name} is larger than a skin file can be (1 MiB).`, true);
    return;
  }
  file = chosen;
  document.getElementById("worn-name").textContent = chosen.name;
  worn.hidden = false;
  const model = (await looksSlim(chosen)) ? "slim" : "classic";
  document.querySelector(`input[name=model][value=${model}]`).checked = true;
  await update();
}

/** Base layer of the arms that only the classic model shows: x, y, width, height. */
const CLASSIC_ONLY = [[50, 16, 2, 4], [54, 20, 2, 12], [42, 48, 2, 4], [46, 52, 2, 12]];

/** Guesses the model as the renderer does: slim if all of that is transparent. The fields can correct it. */
async function looksSlim(chosen) {
  try {
    const bitmap = await createImageBitmap(chosen);
    if (bitmap.width !== bitmap.height) return false;
    const canvas = new OffscreenCanvas(64, 64);
    const pencil = canvas.getContext("2d");
    pencil.imageSmoothingEnabled = false;
    pencil.drawImage(bitmap, 0, 0, 64, 64);
    const isEmpty = (area) => pencil.getImageData(...area).data.every((value, i) => i % 4 < 3 || value === 0);
    return CLASSIC_ONLY.every(isEmpty);
  } catch {
    return false;
  }
}

function takeOff() {
  file = null;
  chooser.value = "";
  worn.hidden = true;
  desk.elements.player.focus();
  update();
}

const attribute = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
const FORMS = {
  url: ({ url }) => url,
  html: ({ url, name, width, height }) =>
    `<img src="${attribute(url)}" width="${width}" height="${height}" alt="${attribute(name)}">`,
  markdown: ({ url, name }) => `![${name.replace(/[[\]\\]/g, "\\$&")}](${url})`,
  bbcode: ({ url }) => `[img]${url}[/img]`,
};

async function copy(button) {
  const card = button.closest(".card");
  const picture = card.querySelector("img");
  const text = FORMS[button.dataset.copy]({
    url: new URL(card.querySelector(".path").href).href,
    name: card.dataset.subject,
    width: picture.naturalWidth,
    height: picture.naturalHeight,
  });
  if (!(await toClipboard(text))) {
    say(`Nothing was copied; here it is: ${text}`, true);
    return;
  }
  say(`Copied: ${text}`);
  button.classList.add("done");
  setTimeout(() => button.classList.remove("done"), 1500);
}

/** Pages without TLS have no clipboard but the old one. */
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
desk.addEventListener("input", (event) => {
  if (event.target === chooser || event.target.name === "model") return;
  if (event.target === slider) desk.elements.size.value = slider.value;
  else if (event.target.name === "size") slider.value = event.target.value;
  if (event.target.name === "player" && file) return;
  clearTimeout(pause);
  pause = setTimeout(update, TYPING_PAUSE);
});
desk.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(pause);
  if (file) takeOff();
  else update();
});
worn.addEventListener("change", update);
document.getElementById("back").addEventListener("click", takeOff);
chooser.addEventListener("change", () => wear(chooser.files[0]));
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copy(button);
  const player = event.target.closest(".players a");
  if (!player || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  desk.elements.player.value = player.textContent;
  if (file) takeOff();
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
  wear(event.dataTransfer.files[0]);
});

root.classList.add("live");
update();
