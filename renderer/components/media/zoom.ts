/** How a picture is looked at: `scale` 1 is the size at which it fits; `x` and `y` are its point in the middle, 0 to 1. */
export interface Zoom {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

/** Ratio of the frame to the fitted picture in each direction; above 1 if the picture is smaller. */
export interface Room {
  readonly x: number;
  readonly y: number;
}

export const FIT: Zoom = { scale: 1, x: 0.5, y: 0.5 };
/** Zoom factor of a button press or a key. */
export const STEP = 1.25;
const MOST = 32;
/** A picture that is larger than life when it fits is shown in its real size by making it smaller. */
const LEAST = 0.05;

/** @param at fixed point of the picture, 0 to 1 */
export function zoomedTo(zoom: Zoom, scale: number, at: { readonly x: number; readonly y: number } = zoom): Zoom {
  const next = Math.min(MOST, Math.max(LEAST, scale));
  const centre = (point: number, middle: number): number => point - ((point - middle) * zoom.scale) / next;
  return { scale: next, x: centre(at.x, zoom.x), y: centre(at.y, zoom.y) };
}

/** @param by how far the picture is pulled, in its fitted sizes */
export function moveZoom(zoom: Zoom, by: { readonly x: number; readonly y: number }): Zoom {
  return { ...zoom, x: zoom.x - by.x / zoom.scale, y: zoom.y - by.y / zoom.scale };
}

/** Limits the zoom so that no gap remains at an edge where the picture could fill it. */
export function clampZoom({ scale, x, y }: Zoom, room: Room): Zoom {
  const clamp = (middle: number, share: number): number => {
    const half = share / (2 * scale);
    return half >= 0.5 ? 0.5 : Math.min(1 - half, Math.max(half, middle));
  };
  return { scale, x: clamp(x, room.x), y: clamp(y, room.y) };
}

/** Returns the zoom for a key: `+`, `-` and `0`; null for other keys. */
export function zoomByKey(key: string): ((zoom: Zoom) => Zoom) | null {
  switch (key) {
    case "+":
    case "=":
      return (zoom) => zoomedTo(zoom, zoom.scale * STEP);
    case "-":
      return (zoom) => zoomedTo(zoom, zoom.scale / STEP);
    case "0":
      return () => FIT;
    default:
      return null;
  }
}
