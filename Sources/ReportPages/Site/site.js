"use strict";
// The switch of dialects, and the search in a table. Without a script every table is there.
for (const group of document.querySelectorAll(".choices")) {
  const tables = Array.from(group.parentElement.querySelectorAll("[data-name]"));
  const buttons = Array.from(group.querySelectorAll("button"));
  const own = tables.filter((table) => buttons.some((button) => button.dataset.table === table.dataset.name));
  const choose = (button) => {
    for (const table of own) table.hidden = table.dataset.name !== button.dataset.table;
    for (const one of buttons) one.setAttribute("aria-pressed", String(one === button));
  };
  for (const button of buttons) button.addEventListener("click", () => choose(button));
  group.hidden = false;
  choose(buttons[0]);
}
const text = document.getElementById("text");
if (text) {
  const rows = Array.from(document.getElementById("rows").rows, (row) => ({ row, text: row.textContent.toLowerCase() }));
  const output = document.getElementById("shown");
  text.parentElement.hidden = false;
  text.addEventListener("input", () => {
    const wanted = text.value.trim().toLowerCase();
    let count = 0;
    for (const one of rows) {
      one.row.hidden = !one.text.includes(wanted);
      if (!one.row.hidden) count += 1;
    }
    output.textContent = count + " of " + rows.length;
  });
}
