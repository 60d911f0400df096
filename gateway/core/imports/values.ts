import { asList, isRecord } from "../../lib/records.ts";

/** Parts of what another program wrote, whatever it wrote there. */

type Members = Readonly<Record<string, unknown>>;

const NO_MEMBERS: Members = {};

/** Returns an object's own members; none for anything else. */
export function readMembers(value: unknown): Members {
  return isRecord(value) ? value : NO_MEMBERS;
}

export function readItems(value: unknown): readonly unknown[] {
  return asList(value);
}

/** Returns a text without spaces around it; null without text. */
export function readText(value: unknown): string | null {
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" ? null : text;
}

/** The first member of these names that is a text, with its name. */
export function firstText(members: Members, names: readonly string[]): { name: string; text: string } | null {
  for (const name of names) {
    const text = Object.hasOwn(members, name) ? readText(members[name]) : null;
    if (text !== null) return { name, text };
  }
  return null;
}

/** Returns a number, also if written as text; null otherwise. */
export function readNumber(value: unknown): number | null {
  if (typeof value === "bigint") return Number(value);
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

/** SQLite has no truth values: 0 and 1, or texts. */
export function isOn(value: unknown): boolean {
  return value === true || value === 1 || value === 1n || value === "true" || value === "1";
}
