/** Shapes painted over a picture, in its own pixels. Kept as shapes, so that every step can be undone. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export type MaskShape =
  | { readonly kind: "stroke"; readonly erase: boolean; readonly radius: number; readonly points: readonly Point[] }
  | {
      readonly kind: "rectangle";
      readonly erase: boolean;
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
    }
  | { readonly kind: "all" }
  | { readonly kind: "invert" };

/** Canvas methods used for painting; tests provide their own. */
export type Brush = Pick<
  CanvasRenderingContext2D,
  | "globalCompositeOperation"
  | "fillStyle"
  | "strokeStyle"
  | "lineWidth"
  | "lineCap"
  | "lineJoin"
  | "fillRect"
  | "clearRect"
  | "beginPath"
  | "moveTo"
  | "lineTo"
  | "stroke"
>;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Any opaque colour works: only the painted area matters. */
const PAINT = "#e5484d";

/** Paints all shapes, in their order, on an empty layer. */
export function paintMask(brush: Brush, { width, height }: Size, shapes: readonly MaskShape[]): void {
  brush.globalCompositeOperation = "source-over";
  brush.clearRect(0, 0, width, height);
  for (const shape of shapes) paintShape(brush, { width, height }, shape);
}

export function paintShape(brush: Brush, { width, height }: Size, shape: MaskShape): void {
  brush.fillStyle = PAINT;
  brush.strokeStyle = PAINT;
  switch (shape.kind) {
    case "all":
      brush.globalCompositeOperation = "source-over";
      brush.fillRect(0, 0, width, height);
      return;
    case "invert":
      brush.globalCompositeOperation = "xor";
      brush.fillRect(0, 0, width, height);
      return;
    case "rectangle":
      brush.globalCompositeOperation = shape.erase ? "destination-out" : "source-over";
      brush.fillRect(shape.x, shape.y, shape.width, shape.height);
      return;
    case "stroke": {
      const [first, ...rest] = shape.points;
      if (first === undefined) return;
      brush.globalCompositeOperation = shape.erase ? "destination-out" : "source-over";
      brush.lineWidth = shape.radius * 2;
      brush.lineCap = "round";
      brush.lineJoin = "round";
      brush.beginPath();
      brush.moveTo(first.x, first.y);
      // A touch without a way is a dot.
      if (rest.length === 0) brush.lineTo(first.x, first.y);
      for (const { x, y } of rest) brush.lineTo(x, y);
      brush.stroke();
    }
  }
}

/**
 * Builds a mask from the painted layer: opaque, and transparent where painted, which is the area that models change.
 */
export function maskFrom(
  brush: Brush & Pick<CanvasRenderingContext2D, "drawImage">,
  size: Size,
  layer: CanvasImageSource,
): void {
  brush.globalCompositeOperation = "source-over";
  brush.fillStyle = "#ffffff";
  brush.fillRect(0, 0, size.width, size.height);
  brush.globalCompositeOperation = "destination-out";
  brush.drawImage(layer, 0, 0);
}

/** Returns the typed rectangle, cut to the picture; null if it is invalid. */
export function parseRectangle(
  typed: Readonly<Record<"x" | "y" | "width" | "height", string>>,
  size: Size,
  erase: boolean,
): MaskShape | null {
  const [x, y, width, height] = [typed.x, typed.y, typed.width, typed.height].map((text) =>
    text.trim() === "" ? Number.NaN : Number(text),
  ) as [number, number, number, number];
  const left = Math.max(0, x);
  const top = Math.max(0, y);
  const right = Math.min(size.width, x + width);
  const bottom = Math.min(size.height, y + height);
  if (!(right > left && bottom > top)) return null;
  return { kind: "rectangle", erase, x: left, y: top, width: right - left, height: bottom - top };
}

/** Tells whether anything was painted. A completely erased painting still counts. */
export const isPainted = (shapes: readonly MaskShape[]): boolean =>
  shapes.some((shape) => shape.kind === "all" || shape.kind === "invert" || !shape.erase);
