/** Controls of objects: parts that may be absent, paper, carried totals, looks of headings. */

import { complete } from "../complete.js";
import { fill, h, uid } from "../dom.js";
import { buildField, buildForm, optional, put, valueOf, write } from "../form.js";
import { expressionSource } from "../offers.js";
import { formatPath } from "../paths.js";
import { fontsOf } from "./assets.js";

/** @typedef {import("../form.js").Control} Control */

/** What a part begins with when it is switched on: enough to be valid. @type {Record<string, any>} */
const STARTERS = { watermark: { text: "DRAFT" } };

/** @type {Control} */
function object(field, path, context) {
  const fields = field.fields ?? [];
  const body = h("div", { class: "ed-part-body", id: uid("part") });
  const draw = () => fill(body, present() ? buildForm(fields, path, context) : null);
  const present = () =>
    !field.nullable || (context.store.at(path) !== undefined && context.store.at(path) !== null);
  if (!field.nullable) {
    draw();
    return {
      element: h("fieldset", { class: "ed-part" }, h("legend", { class: "ed-label" }, field.label), body),
      bare: true,
    };
  }
  if (field.tri) return threefold(field, path, context, body, draw);
  draw();
  return opened(field, context, body, present(), (input) => {
    put(context, path, input.checked ? starter(field, context) : undefined, input);
    draw();
  });
}

/**
 * A switch with what it opens below it.
 * @param {import("../form.js").Field} field @param {any} context @param {HTMLElement} body
 * @param {boolean} checked @param {(input: HTMLInputElement) => void} change @returns {import("../form.js").Made}
 */
function opened(field, context, body, checked, change) {
  const input = h("input", {
    type: "checkbox",
    role: "switch",
    class: "ed-switch",
    checked,
    disabled: context.readOnly,
    id: uid("switch"),
    "aria-controls": body.id,
    on: { change: () => change(input) },
  });
  return {
    element: h(
      "div",
      { class: "ed-part" },
      h(
        "div",
        { class: "ed-inline-row" },
        input,
        h("label", { for: input.id, class: "ed-label" }, field.label),
      ),
      field.help ? h("p", { class: "ed-help" }, field.help) : null,
      body,
    ),
    bare: true,
  };
}

/** @param {import("../form.js").Field} field @param {any} context */
function starter(field, context) {
  if (field.fields?.some((each) => each.name === "regular"))
    return { regular: fontsOf(context)[0]?.id ?? "" };
  return structuredClone(STARTERS[field.name] ?? {});
}

/** A band of the first page: as on the others (absent), none (null), or its own. @param {any} field @param {any} path @param {any} context @param {any} body @param {() => void} draw */
function threefold(field, path, context, body, draw) {
  const value = context.store.at(path);
  const state = value === undefined ? "same" : value === null ? "none" : "own";
  const name = uid("first");
  const options = [
    ["same", "As on the others"],
    ["none", "None"],
    ["own", "Its own"],
  ];
  const element = h(
    "fieldset",
    { class: "ed-part" },
    h("legend", { class: "ed-label" }, field.label),
    h(
      "div",
      { class: "ed-segments" },
      options.map(([key, label]) => {
        const input = h("input", {
          type: "radio",
          name,
          id: uid("radio"),
          value: key,
          checked: state === key,
          disabled: context.readOnly,
          on: {
            change: () => {
              put(context, path, key === "same" ? undefined : key === "none" ? null : {}, element);
              draw();
            },
          },
        });
        return [input, h("label", { for: input.id }, label)];
      }),
    ),
    body,
  );
  draw();
  return { element, bare: true };
}

/** @type {Control} */
function paper(field, path, context) {
  const value = valueOf(field, path, context);
  const own = typeof value === "object";
  const input = h(
    "select",
    {
      class: "ed-input ed-select",
      disabled: context.readOnly,
      on: {
        change: () => {
          const [width, height] = context.data.sizes[
            typeof context.store.at(path) === "string" ? context.store.at(path) : "A4"
          ] ?? [210, 297];
          write(field, path, context, input.value === "own" ? { width, height } : input.value, input);
          draw();
        },
      },
    },
    (field.options ?? []).map((option) =>
      h(
        "option",
        { value: option.value, selected: option.value === value },
        `${option.label} – ${context.data.sizes[option.value].join(" × ")} mm`,
      ),
    ),
    h("option", { value: "own", selected: own }, "Own size"),
  );
  const body = h("div", { class: "ed-pair" });
  const draw = () =>
    fill(
      body,
      typeof context.store.at(path) === "object"
        ? (field.fields ?? []).map((each) => buildField(each, path, context))
        : null,
    );
  draw();
  return { element: h("div", {}, input, body), input };
}

/** Running totals: off, on, or with labels of one's own. @type {Control} */
function carry(field, path, context) {
  const body = h("div", { id: uid("part") });
  const isOn = () => Boolean(valueOf(field, path, context));
  const draw = () => {
    if (!isOn()) return fill(body);
    const labels = () => (typeof context.store.at(path) === "object" ? context.store.at(path) : {});
    fill(
      body,
      (field.fields ?? []).map((each) => {
        const area = h("input", {
          type: "text",
          class: "ed-input",
          id: uid("input"),
          value: labels()[each.name] ?? "",
          placeholder: each.default,
          readonly: context.readOnly,
          on: {
            input: () => {
              const made = { ...labels(), [each.name]: area.value || undefined };
              for (const name of Object.keys(made)) if (made[name] === undefined) delete made[name];
              context.store.set(path, Object.keys(made).length ? made : true, area);
            },
          },
        });
        complete(
          area,
          expressionSource(context, () => path, false),
        );
        return h(
          "div",
          { class: "ed-field", data: { path: formatPath([...path, each.name]) } },
          h("label", { class: "ed-label", for: area.id }, each.help || each.label),
          area,
        );
      }),
    );
  };
  draw();
  return opened(field, context, body, isOn(), (input) => {
    write(field, path, context, input.checked, input);
    draw();
  });
}

/** Looks of the six levels of headings, beside the house style's. @type {Control} */
function headings(field, path, context) {
  const levels = Object.entries(context.data.headings);
  const looks = [
    optional({ name: "size", label: "Size", control: "number", min: 4, max: 200 }),
    optional({ name: "before", label: "Above", control: "number", min: 0, max: 200 }),
    optional({ name: "after", label: "Below", control: "number", min: 0, max: 200 }),
  ];
  const colour = optional({ name: "color", label: "Colour", control: "color" });
  const element = h(
    "div",
    { class: "ed-headings" },
    h(
      "div",
      { class: "ed-headings-row ed-grid-head", "aria-hidden": "true" },
      h("span", {}, "Level"),
      looks.map((look) => h("span", {}, `${look.label} (pt)`)),
      h("span", {}, "Colour"),
    ),
    levels.map(([level, house]) =>
      h(
        "div",
        { class: "ed-headings-row", role: "group", "aria-label": `Heading ${level}` },
        h("span", { class: "ed-headings-level" }, `H${level}`),
        looks.map((look) => {
          const made = buildField(look, [...path, level], context, { plain: true });
          made
            .querySelector("input")
            ?.setAttribute("placeholder", String(/** @type {any} */ (house)[look.name]));
          return made;
        }),
        buildField(colour, [...path, level], context, { plain: true }),
      ),
    ),
  );
  return { element };
}

export const objects = { object, paper, carry, headings };
