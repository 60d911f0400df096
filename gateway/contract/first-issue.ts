import type * as z from "zod";

/** Parse context with which zod stops at the first issue, so that 20,000 invalid items do not create 20,000 issues. */
export const FIRST_ISSUE: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true };

type Context = Pick<z.core.ParsePayload, "issues">;

/** Raises an issue that ends the check of the list that the value is in. */
export function addIssue({ issues }: Context, path: readonly PropertyKey[], input: unknown, message: string): void {
  issues.push({ code: "custom", path: [...path], input, message, continue: false });
}

/** Raises the first issue that a further schema finds in a part of the value. */
export function addFirstIssue(
  { issues }: Context,
  schema: z.ZodType,
  input: unknown,
  path: readonly PropertyKey[],
): void {
  const issue = schema.safeParse(input, FIRST_ISSUE).error?.issues[0];
  if (issue === undefined) return;
  issues.push({ ...issue, path: [...path, ...issue.path], input, continue: false } as z.core.$ZodRawIssue);
}
