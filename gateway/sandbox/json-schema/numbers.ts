import { numberAt, type Schema } from "./shape.ts";

interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly openBelow: boolean;
  readonly openAbove: boolean;
}

/**
 * A number within the schema's bounds: 1 where nothing else is asked, the nearest allowed one otherwise.
 * @param whole whether it must be an integer
 * @param variant 0 for the first; higher ones give other numbers, for lists of unique items
 */
export function numberFor(schema: Schema, whole: boolean, variant: number): number {
  const bounds = boundsOf(schema);
  const step = Math.abs(numberAt(schema, "multipleOf") ?? 0) || (whole ? 1 : 0);
  if (step > 0) return multipleWithin(bounds, whole && !Number.isInteger(step) ? wholeStep(step) : step, variant);
  if (isWithin(bounds, 1 + variant)) return 1 + variant;
  if (bounds.least > -Infinity && bounds.most < Infinity) {
    return bounds.least + (bounds.most - bounds.least) / (variant + 2);
  }
  return bounds.least > -Infinity ? bounds.least + 1 + variant : bounds.most - 1 - variant;
}

function multipleWithin(bounds: Bounds, step: number, variant: number): number {
  const fromOne = Math.ceil(1 / step);
  let lowest = Math.max(Math.ceil(bounds.least / step), -Infinity);
  if (bounds.openBelow && lowest * step <= bounds.least) lowest += 1;
  let highest = Math.floor(bounds.most / step);
  if (bounds.openAbove && highest * step >= bounds.most) highest -= 1;
  const first = Math.min(Math.max(fromOne, lowest), highest);
  const upward = first + variant;
  const multiple = upward <= highest ? upward : first - (upward - highest);
  return Number((multiple * step).toPrecision(15)) + 0;
}

/** The least whole multiple of a step such as 0.5. */
function wholeStep(step: number): number {
  for (let times = 1; times <= 1_000; times += 1) {
    const product = Number((step * times).toPrecision(12));
    if (Number.isInteger(product)) return product;
  }
  return 1;
}

function boundsOf(schema: Schema): Bounds {
  const minimum = numberAt(schema, "minimum") ?? -Infinity;
  const maximum = numberAt(schema, "maximum") ?? Infinity;
  // Draft 4 wrote `exclusiveMinimum: true` beside `minimum`; later drafts write the bound itself.
  const above = schema["exclusiveMinimum"] === true ? minimum : (numberAt(schema, "exclusiveMinimum") ?? -Infinity);
  const below = schema["exclusiveMaximum"] === true ? maximum : (numberAt(schema, "exclusiveMaximum") ?? Infinity);
  return {
    least: Math.max(minimum, above),
    most: Math.min(maximum, below),
    openBelow: above >= minimum && above > -Infinity,
    openAbove: below <= maximum && below < Infinity,
  };
}

function isWithin(bounds: Bounds, value: number): boolean {
  const aboveLeast = bounds.openBelow ? value > bounds.least : value >= bounds.least;
  return aboveLeast && (bounds.openAbove ? value < bounds.most : value <= bounds.most);
}

/** Whether `value` keeps to the schema's bounds and step. */
export function numberFits(schema: Schema, value: number): boolean {
  const step = numberAt(schema, "multipleOf");
  if (!isWithin(boundsOf(schema), value)) return false;
  if (step === undefined || step === 0) return true;
  const times = value / step;
  return Math.abs(times - Math.round(times)) <= Math.abs(times) * 1e-12 + 1e-12;
}
