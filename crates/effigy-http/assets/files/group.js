// Shows several players in one picture. Without this script, the form loads the picture itself.

const group = document.getElementById("group");
/** The list of players who may be shown instead of missing ones. */
const substitute = document.getElementById("default");

/** The players of a pasted list. Only gamertags, which begin with a dot, contain spaces. */
function listed(text) {
  const items = text.split(/[,;\n]+/).map((item) => item.trim());
  return items.flatMap((item) => (item.startsWith(".") ? item : item.split(/\s+/))).filter(Boolean);
}

/** Returns the service's entries for the missing players of a picture, and the kind of substitute. */
async function missingIn(url) {
  const entries = new URL(url);
  entries.pathname += ".json";
  const reply = await fetch(entries).catch(() => null);
  const { players = [] } = (await reply?.json().catch(() => null)) ?? {};
  const missing = players.filter((entry) => entry.missing);
  return [missing, reply?.headers.get("X-Effigy-Substitute")];
}

/** The words for the chosen substitute, who may be missing, too, in an outage. */
function substituteInWords() {
  return substitute.value === "default-skin" ? "default skins" : substitute.selectedOptions[0].text;
}

/** Sentences about the players who are missing, if there are any. */
function missingSentences(missing, instead) {
  const namesOf = (entries) => entries.map((entry) => entry.player).join(", ");
  const gaps = missing.filter((entry) => !entry.substitute);
  const replaced = missing.filter((entry) => entry.substitute);
  let sentences = "";
  if (gaps.length) sentences += ` Missing: ${namesOf(gaps)}.`;
  if (replaced.length) sentences += ` Missing: ${namesOf(replaced)}, shown as ${instead}.`;
  return sentences;
}

/** The URL of a picture of several players. */
function groupUrl(players, action) {
  const url = new URL(action, location);
  url.search = `players=${players.map(encodeURIComponent).join(",")}&size=${group.elements.size.value}`;
  if (group.elements.names.checked) url.search += "&names=true";
  if (substitute.value) url.search += `&default=${encodeURIComponent(substitute.value)}`;
  return url;
}

/** Returns the reason why the service has no picture. */
async function reasonOf(url) {
  const reply = await fetch(url).catch(() => null);
  const { error } = (await reply?.json().catch(() => null)) ?? {};
  return error ?? "The picture could not be loaded.";
}

function showGroupStatus(text, isBad) {
  const status = document.getElementById("group-status");
  status.textContent = text;
  status.className = isBad ? "bad" : "hint";
}

group.addEventListener("submit", async (event) => {
  event.preventDefault();
  const players = listed(group.elements.players.value);
  const instead = substituteInWords();
  const url = groupUrl(players, event.submitter.getAttribute("formaction") ?? group.getAttribute("action"));
  const shown = document.getElementById("group-picture");
  shown.src = document.getElementById("snippet-group").textContent = url.href;
  const isShown = await shown.decode().then(() => true, () => false);
  const reason = isShown ? null : await reasonOf(url);
  const [missing, kind] = isShown ? await missingIn(url) : [[], null];
  // The visitor has asked for another picture in the meantime.
  if (shown.src !== url.href) return;
  document.getElementById("group-shown").hidden = !isShown;
  if (!isShown) {
    showGroupStatus(reason, true);
    return;
  }
  const isMissing = (name) => missing.some((entry) => entry.player === name);
  shown.alt = players.filter((name) => !isMissing(name)).join(", ");
  const sentences = missingSentences(missing, kind === "fallback" ? "a built-in player" : instead);
  showGroupStatus(`Showing ${shown.alt}.${sentences}`, missing.length > 0);
});
