/** The control of conditions: comparisons that all or any must hold; other forms as JSON. */

import { complete } from "../complete.js";
import { fill, h, iconButton, uid } from "../dom.js";
import { pathSource } from "../offers.js";
import { doubtAbout, literalOf, typeAt } from "../literals.js";
import { LETTER } from "../names.js";
import { formatPath } from "../paths.js";
import { rowFieldsAt } from "../scope.js";
import { basic } from "./basic.js";

/** @typedef {import("../form.js").Control} Control */

const VARIABLE = new RegExp(`^\\{\\{([${LETTER}.-]+)\\}\\}$`, "u");
const ALONE = new Set(["set", "empty"]);
const SEVERAL = new Set(["in", "notIn"]);

/** @type {Control} */
function condition(field, path, context, ids) {
  const stored = context.store.at(path);
  if (stored !== undefined && stored !== null && !readable(stored))
    return basic.json(field, path, context, ids);
  // In a table or a chart the names of a condition are fields of the row.
  const ofRow = path.includes("styles");
  let mode = stored?.any ? "any" : "all";
  /** @type {any[]} */ let rows = stored ? (stored.all ?? stored.any ?? [stored]) : [];
  const element = h("div", { class: "ed-conditions", role: "group", "aria-labelledby": ids.label });

  const store = () => {
    if (context.readOnly) return;
    const value =
      rows.length === 0 ? undefined : rows.length === 1 && mode === "all" ? rows[0] : { [mode]: rows };
    context.store.set(path, value, element);
  };
  const change = (/** @type {number} */ index, /** @type {Record<string, any>} */ changes) => {
    const row = { ...rows[index], ...changes };
    for (const name of Object.keys(row)) if (row[name] === undefined) delete row[name];
    rows = rows.map((each, position) => (position === index ? row : each));
    store();
  };
  const source = () =>
    ofRow
      ? (/** @type {string} */ text) => ({
          from: 0,
          to: text.length,
          options: rowFieldsAt(state(), path).map((offer) => ({
            label: offer.path,
            note: offer.note,
            insert: offer.path,
          })),
        })
      : pathSource(context, () => path, undefined);
  const state = () => ({
    variables: context.store.variables,
    doc: context.store.doc,
    data: context.store.isMadeUp ? {} : context.store.data(),
  });

  const draw = () => {
    fill(
      element,
      rows.length > 1
        ? h(
            "select",
            {
              class: "ed-input ed-select ed-mode",
              "aria-label": "How conditions combine",
              disabled: context.readOnly,
              on: {
                change: (/** @type {any} */ event) => {
                  mode = event.target.value;
                  store();
                },
              },
            },
            h("option", { value: "all", selected: mode === "all" }, "All of these hold"),
            h("option", { value: "any", selected: mode === "any" }, "Any of these holds"),
          )
        : null,
      rows.map((row, index) => comparison(row, index)),
      context.readOnly || (field.required && rows.length)
        ? null
        : h(
            "button",
            {
              type: "button",
              class: "ed-add",
              on: {
                click: () => {
                  rows = [...rows, { field: "", is: "set" }];
                  draw();
                  focus(rows.length - 1);
                },
              },
            },
            rows.length ? "+ Add condition" : "+ Add a condition",
          ),
    );
  };

  /** Go on at a row, or where one is added when there is none. @param {number} index */
  const focus = (index) => {
    const row = element.querySelectorAll(".ed-comparison")[index];
    /** @type {HTMLElement|null} */ (row?.querySelector("input") ?? element.querySelector(".ed-add"))?.focus();
  };

  const comparison = (/** @type {any} */ row, /** @type {number} */ index) => {
    const name = h("input", {
      type: "text",
      class: "ed-input",
      "aria-label": "Name in the data",
      value: row.field ?? "",
      placeholder: "customer.vat_id",
      spellcheck: "false",
      readonly: context.readOnly,
      on: {
        input: () => {
          change(index, { field: name.value });
          if (value && !rows[index].valueField) take();
        },
      },
    });
    complete(name, source(), { always: true });
    const operator = h(
      "select",
      {
        class: "ed-input ed-select",
        "aria-label": "Comparison",
        disabled: context.readOnly,
        on: {
          change: () => {
            change(index, {
              is: operator.value,
              ...(ALONE.has(operator.value)
                ? { value: undefined, valueField: undefined }
                : { value: literalOf(written(rows[index].value), operator.value, typeOf(rows[index].field)) }),
            });
            draw();
            /** @type {any} */ (element.querySelectorAll(".ed-comparison select")[index])?.focus();
          },
        },
      },
      context.data.operators.map((/** @type {any} */ each) =>
        h("option", { value: each.value, selected: each.value === row.is }, each.label),
      ),
    );
    const doubt = h("p", { class: "ed-doubt", id: uid("doubt"), role: "status" });
    const doubted = () => {
      const now = rows[index];
      doubt.textContent =
        now.is === "contains" ? "" : doubtAbout(now.field, now.value, typeOf(now.field));
    };
    // What is written means what its name makes it: a number, a text.
    const take = () => {
      change(index, {
        valueField: undefined,
        value: literalOf(value.value, rows[index].is, typeOf(rows[index].field)),
      });
      doubted();
    };
    const value = ALONE.has(row.is)
      ? null
      : h("input", {
          type: "text",
          class: "ed-input",
          "aria-label": "Value",
          "aria-describedby": doubt.id,
          value: row.valueField ? `{{${row.valueField}}}` : written(row.value),
          placeholder: SEVERAL.has(row.is) ? "A, B, C" : "value",
          readonly: context.readOnly,
          on: {
            input: () => {
              const other = VARIABLE.exec(value.value.trim());
              if (!other) return take();
              change(index, { value: undefined, valueField: other[1] });
              doubted();
            },
          },
        });
    const removal =
      context.readOnly || field.required
        ? null
        : iconButton(
            "x",
            `Remove condition ${index + 1}`,
            () => {
              rows = rows.filter((_, position) => position !== index);
              store();
              draw();
              focus(Math.min(index, rows.length - 1));
            },
            { class: "ed-icon-button ed-small" },
          );
    doubted();
    return h(
      "div",
      {
        class: "ed-comparison",
        data: {
          path: formatPath(rows.length === 1 && mode === "all" ? [...path, "field"] : [...path, mode, index]),
        },
      },
      name,
      operator,
      value,
      removal,
      value && doubt,
    );
  };
  const typeOf = (/** @type {string} */ name) => typeAt(state(), path, name, ofRow);

  if (field.required && !rows.length) rows = [{ field: "", is: "set" }];
  draw();
  return { element };
}

/** Tell whether the rows can show a condition. @param {any} value */
function readable(value) {
  const plain = (/** @type {any} */ one) => typeof one?.field === "string" && typeof one.is === "string";
  const several = value.all ?? value.any;
  return plain(value) || (Array.isArray(several) && Object.keys(value).length === 1 && several.every(plain));
}

/** @param {any} value */
const written = (value) =>
  Array.isArray(value) ? value.join(", ") : value === undefined || value === null ? "" : String(value);

export const conditions = { condition };
