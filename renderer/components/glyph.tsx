import { findApp } from "../../gateway/contract/apps.ts";
import type { ReactNode } from "react";
import { appShapes, providerAliases, providerShapes, type GlyphShape } from "./glyph-shapes.ts";

export interface GlyphProps {
  /** Any text; an id without a shape shows two letters. */
  readonly id: string;
  /** Name for its letters if it has no shape; its id by default. */
  readonly name?: string | undefined;
  /** Pixels, default 16. */
  readonly size?: number;
}

/**
 * The glyph of a provider, of a preset (`groq`) or of a model's owner (`google`). A server with OpenAI's API is
 * identified by its name, so pass that too. Hidden from screen readers, because the name is next to it.
 */
export function ProviderGlyph({ id, name, size }: GlyphProps): ReactNode {
  const compatible = id === "openai-compatible";
  const shape = getShape(compatible && name !== undefined ? name : id, providerShapes, providerAliases);
  const own = shape ?? (compatible && name === undefined ? providerShapes[id] : undefined);
  return <Glyph shape={own} letters={name ?? id} size={size} />;
}

/** Renders the glyph of an app by its id (`claude-code`), its name, or its name in receipts (`claude-cli`). */
export function AppGlyph({ id, name, size }: GlyphProps): ReactNode {
  return <Glyph shape={getShape(findApp(id)?.id ?? id, appShapes)} letters={name ?? id} size={size} />;
}

interface DrawnProps {
  readonly shape: GlyphShape | undefined;
  readonly letters: string;
  readonly size: number | undefined;
}

function Glyph({ shape, letters, size = 16 }: DrawnProps): ReactNode {
  const hue = shape?.hue ?? getHue(letters);
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="shrink-0"
      style={{ color: `var(--plot-${hue})` }}
      aria-hidden
    >
      <rect width="16" height="16" rx="4" fill="currentColor" fillOpacity="0.13" stroke="none" />
      {shape === undefined ? (
        <text
          x="8"
          y="10.7"
          textAnchor="middle"
          fontSize="7.5"
          fontWeight="600"
          fill="currentColor"
          stroke="none"
          fontFamily="inherit"
        >
          {monogram(letters)}
        </text>
      ) : (
        <path d={shape.d} />
      )}
    </svg>
  );
}

/**
 * Returns the shape of an id or a name, ignoring case: of the whole, else of its first words (`LM Studio on this
 * machine`, `claude-cli/2.1`).
 */
export function getShape(
  id: string,
  shapes: Readonly<Record<string, GlyphShape>>,
  aliases: Readonly<Record<string, string>> = {},
): GlyphShape | undefined {
  const whole = id.trim().toLowerCase();
  const words = whole.split(/[/ ]+/);
  for (const key of [whole, words.slice(0, 2).join("-"), words[0] ?? ""]) {
    const known = Object.hasOwn(aliases, key) ? aliases[key] : key;
    if (known !== undefined && Object.hasOwn(shapes, known)) return shapes[known];
  }
  return undefined;
}

/** Returns at most two letters: the initials of the first two words, or the first two letters of a single word. */
export function monogram(name: string): string {
  const [first, second] = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (first === undefined) return "?";
  const [one = "", two = ""] = Array.from(first);
  const [other] = Array.from(second ?? "");
  return other === undefined ? one.toUpperCase() + two : (one + other).toUpperCase();
}

/** Returns a stable colour for a name, independent of all other names. */
function getHue(name: string): GlyphShape["hue"] {
  let sum = 0;
  for (const character of name.toLowerCase()) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9_973;
  return HUES[sum % HUES.length] ?? "rest";
}

const HUES = [1, 2, 3, 4, 5, 6, 7, 8] as const;
