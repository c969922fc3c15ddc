/** Headers and footers: three texts on a line, or sections, and how one becomes the other. Pure. */

/** @typedef {{left?: string, center?: string, right?: string}} Texts */

/** The texts of a band that has no sections. */
export const TEXTS = /** @type {const} */ (["left", "center", "right"]);
/** Points: how texts of a band are set. */
const SIZE = 8;

/** The sections that show what three texts did, in the colour that these had. @param {Texts} texts @param {string} color */
export function sectionsOf(texts, color) {
  const look = { size: SIZE, color };
  const shown = TEXTS.filter((place) => texts[place]).map((place) => ({
    type: "text",
    content: texts[place],
    ...(place === "left" ? {} : { align: place }),
    ...look,
  }));
  if (shown.length === 0) return [{ type: "text", content: "{{page.number}}", ...look }];
  if (shown.length === 1) return shown;
  // What is centred stays in the middle of the page, also with nothing on one side of it.
  const places = TEXTS.filter((place) => texts[place] || (texts.center && place !== "center"));
  const columns = places.map((place) => ({
    sections: shown.filter((text) => ("align" in text ? text.align : "left") === place),
  }));
  return [{ type: "columns", columns }];
}

/** What is left of sections on one line: their texts, each where it stood. @param {any[]} sections @returns {Texts} */
export function textsOf(sections) {
  /** @type {Record<string, string[]>} */ const found = { left: [], center: [], right: [] };
  /** @type {(sections: any[], place: "left" | "center" | "right") => void} */
  const walk = (list, place) => {
    for (const section of list ?? []) {
      if (section?.type === "text" && section.content) {
        const own = { center: "center", right: "right", end: "right" }[String(section.align)];
        found[own ?? place].push(section.content);
      }
      const { columns } = section ?? {};
      if (section?.type === "columns" && Array.isArray(columns))
        columns.forEach((column, index) => {
          const isLast = index > 0 && index === columns.length - 1;
          walk(column?.sections, isLast ? "right" : index > 0 ? "center" : place);
        });
      else if (Array.isArray(section?.sections)) walk(section.sections, place);
    }
  };
  walk(sections, "left");
  return Object.fromEntries(TEXTS.filter((place) => found[place].length).map((place) => [place, found[place].join(" ")]));
}
