"use strict";
// The filters of the list. Without a script every certificate is there.
const rows = Array.from(document.querySelectorAll("#rows tr"), (row) => ({ row, tags: new Set(row.dataset.tags.split("\n")) }));
const filters = Array.from(document.querySelectorAll("[data-filter]"));
const output = document.getElementById("shown");
const filter = () => {
  const wanted = filters.filter((one) => one.value).map((one) => one.dataset.filter + "=" + one.value);
  let count = 0;
  for (const one of rows) {
    one.row.hidden = !wanted.every((tag) => one.tags.has(tag));
    if (!one.row.hidden) count += 1;
  }
  output.textContent = count + " of " + rows.length;
};
for (const one of filters) one.addEventListener("change", filter);
if (output) {
  output.parentElement.hidden = false;
  filter();
}
