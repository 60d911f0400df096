import type { ModelView } from "./model-view.ts";

/** Days before the end of a model or a price from which a note is shown, and its sentence for pages and commands. */

const SOON_DAYS = 60;
const DAY_MS = 86_400_000;

/** Returns the UTC days left until a day, 0 or less once it has come; null if not soon. @param now Unix milliseconds */
export function countDaysLeft(day: string | undefined, now: number): number | null {
  const left = day === undefined ? Infinity : Date.parse(day) / DAY_MS - Math.floor(now / DAY_MS);
  return left <= SOON_DAYS ? left : null;
}

/** `gpt-5-mini ends in 13 days; 3 apps use it. From 2026-12-11 on, use gpt-5.4-mini instead.` */
export function describeEnding(id: string, days: number, on: string, apps: number, successor: string | null): string {
  const when = days <= 0 ? "has ended" : `ends in ${days === 1 ? "1 day" : `${days} days`}`;
  const users = apps === 0 ? "no app uses it" : apps === 1 ? "1 app uses it" : `${apps} apps use it`;
  return `${id} ${when}; ${users}. From ${on} on, use ${successor ?? "another model"} instead.`;
}

/** Returns a sentence for each soon-ending model among these names; by default among those that apps use. */
export function describeEndings(
  models: readonly Pick<ModelView, "id" | "aliases" | "other_names" | "ends">[],
  names: readonly string[] | null,
  now: number,
): string[] {
  return models.flatMap(({ id, aliases, other_names, ends }) => {
    const days = countDaysLeft(ends?.on, now);
    const isMeant =
      [id, ...aliases, ...other_names].some((name) => names?.includes(name)) || (names === null && ends?.apps);
    return ends === undefined || days === null || !isMeant
      ? []
      : [describeEnding(id, days, ends.on, ends.apps, ends.successor)];
  });
}
