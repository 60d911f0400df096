/** Quotes any text as one word of a POSIX shell. */
export const formatShellWord = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The same, without quotes if the shell needs none. */
export const shellName = (text: string): string => (/^[\w./:@-]+$/.test(text) ? text : formatShellWord(text));
