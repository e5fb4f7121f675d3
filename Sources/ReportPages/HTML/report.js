"use strict";
// The filters of the table of verdicts. Few rows are laid out at once: a table of ten thousand takes a browser too long.
const limit = 500;
const form = document.getElementById("filters");
const rows = Array.from(document.getElementById("rows").rows, (row) => {
  const cells = Array.from(row.cells, (cell) => cell.textContent);
  return { row, cells, text: cells.join("\n").toLowerCase() };
});
const choices = Array.from(form.querySelectorAll("select"));
const text = document.getElementById("text");
const output = document.getElementById("shown");
const more = document.getElementById("more");
let isWhole = false;
function filter() {
  const wanted = text.value.trim().toLowerCase();
  const columns = choices.filter((one) => one.value).map((one) => [Number(one.dataset.column), one.value]);
  let count = 0;
  for (const one of rows) {
    const fits = one.text.includes(wanted) && columns.every(([column, value]) => one.cells[column] === value);
    if (fits) count += 1;
    const isShown = fits && (isWhole || count <= limit);
    if (one.row.hidden === isShown) one.row.hidden = !isShown;
  }
  const isCut = !isWhole && count > limit;
  more.hidden = !isCut;
  more.textContent = "Show all " + count;
  output.textContent = count + " of " + rows.length + " verdicts" + (isCut ? ", the first " + limit + " shown" : "");
}
// A link to a row that is not shown shows it.
function reveal() {
  let name;
  try { name = decodeURIComponent(location.hash.slice(1)); } catch { return; }
  const target = document.getElementById(name);
  const row = target && target.closest("#rows > tr");
  if (!row || !row.hidden) return;
  form.reset();
  isWhole = true;
  filter();
  target.scrollIntoView();
}
// A feature or a requirement chooses its verdicts.
function choose(link) {
  form.reset();
  isWhole = false;
  if (link.dataset.text) text.value = link.dataset.text;
  for (const one of choices) if (one.dataset.column === "3" && link.dataset.feature) one.value = link.dataset.feature;
  filter();
}
async function copy(button) {
  const code = button.parentElement.querySelector("code");
  const name = button.textContent;
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(code);
    button.textContent = "Selected";
  }
  setTimeout(() => { button.textContent = name; }, 1500);
}
form.hidden = false;
form.addEventListener("input", filter);
form.addEventListener("reset", () => { isWhole = false; setTimeout(filter); });
form.addEventListener("submit", (event) => event.preventDefault());
more.addEventListener("click", () => { isWhole = true; filter(); });
for (const link of document.querySelectorAll("a[data-feature], a[data-text]")) {
  link.addEventListener("click", () => choose(link));
}
for (const button of document.querySelectorAll(".command button")) {
  button.hidden = false;
  button.addEventListener("click", () => copy(button));
}
addEventListener("hashchange", reveal);
filter();
reveal();
