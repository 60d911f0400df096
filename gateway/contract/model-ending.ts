/** The days until a model or a price ends in which it is worth a note, and the sentence of it for pages and commands. */

const SOON_DAYS = 60;
const DAY_MS = 86_400_000;

/** When a model ends at its owner, what to use instead, and how many apps called it in the last 30 days. */
export interface ModelEnding {
  /** The first day without it, `YYYY-MM-DD`. */
  readonly on: string;
  readonly successor: string | null;
  readonly apps: number;
}

/** UTC days that are left until a day, 0 or less once it has come; null where it is not soon. @param now Unix milliseconds */
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

interface Named {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly other_names: readonly string[];
  readonly ends?: ModelEnding | undefined;
}

/** A sentence for each model that ends soon, of those with these names; of those that apps use where none are given. */
export function describeEndings(models: readonly Named[], names: readonly string[] | null, now: number): string[] {
  return models.flatMap(({ id, aliases, other_names, ends }) => {
    const days = countDaysLeft(ends?.on, now);
    const isMeant =
      [id, ...aliases, ...other_names].some((name) => names?.includes(name)) || (names === null && ends?.apps);
    return ends === undefined || days === null || !isMeant
      ? []
      : [describeEnding(id, days, ends.on, ends.apps, ends.successor)];
  });
}
