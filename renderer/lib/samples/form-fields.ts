import type { FormPart, SampleBody } from "./sample-request.ts";

/** A file as a field's value. */
export class SampleFile {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Numbers of forms, which send them as texts; SDKs take them as numbers. */
const NUMBERS = new Set(["n", "output_compression", "temperature"]);

/** A form as the fields that an SDK takes: `image[]`, repeated, is a list under `image`. */
export function getFields(parts: readonly FormPart[]): SampleBody {
  const fields: Record<string, unknown> = {};
  for (const { name, value, file } of parts) {
    const item = file
      ? new SampleFile(value)
      : NUMBERS.has(name) && /^\d+(\.\d+)?$/.test(value)
        ? Number(value)
        : value;
    if (!name.endsWith("[]")) fields[name] = item;
    else {
      const list = fields[name.slice(0, -2)];
      fields[name.slice(0, -2)] = Array.isArray(list) ? [...(list as unknown[]), item] : [item];
    }
  }
  return fields;
}

/** Returns the names of the files in fields; as a list if there are several. */
export function findFiles(value: unknown): readonly string[] | null {
  if (value instanceof SampleFile) return [value.name];
  if (!Array.isArray(value) || value.length === 0) return null;
  return value.every((item) => item instanceof SampleFile) ? value.map(({ name }) => name) : null;
}
