/** Returns the message of a thrown value, which may be of any type. */
export const getMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
