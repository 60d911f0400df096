import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

/** What GitHub refuses in a form, or shows as nothing: it says so only after a push. */
const folder = join(import.meta.dirname, "../../.github/ISSUE_TEMPLATE");
const forms = readdirSync(folder).filter((name) => name !== "config.yml");
const kinds = ["markdown", "input", "textarea", "dropdown", "checkboxes"];

interface Field {
  readonly type: string;
  readonly id?: string;
  readonly attributes: { readonly label?: string; readonly value?: string; readonly options?: readonly unknown[] };
}
interface Form {
  readonly name: string;
  readonly description: string;
  readonly labels: readonly string[];
  readonly body: readonly Field[];
}

const read = (name: string): Form =>
  parse(readFileSync(join(folder, name), "utf8"), { strict: true, uniqueKeys: true }) as Form;

it("there is one for bugs, one for features and one for facts of providers", () => {
  expect(forms.toSorted()).toStrictEqual(["bug.yml", "feature.yml", "provider-or-price.yml"]);
});

describe.each(forms)("%s", (name) => {
  const { body, ...form } = read(name);
  const fields = body.filter(({ type }) => type !== "markdown");

  it("has a name, a description, labels and fields", () => {
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
    expect(form.labels.length).toBeGreaterThan(0);
    expect(body.filter(({ type }) => !kinds.includes(type))).toStrictEqual([]);
  });

  it("has an id and a label for each field, no two alike", () => {
    expect(fields.every(({ id, attributes }) => /^[a-z]+$/.test(id ?? "") && attributes.label !== undefined)).toBe(
      true,
    );
    for (const values of [fields.map(({ id }) => id), fields.map(({ attributes }) => attributes.label)])
      expect(new Set(values).size).toBe(fields.length);
  });

  it("has choices where there is something to choose", () => {
    const choices = fields.filter(({ type }) => type === "dropdown" || type === "checkboxes");
    for (const { attributes } of choices) expect(attributes.options?.length).toBeGreaterThan(0);
  });
});
