import { describe, expect, it } from "vitest";
import {
  FIT,
  clampZoom,
  moveZoom,
  zoomByKey,
  zoomedTo,
  type Zoom,
} from "../../../../renderer/components/media/zoom.ts";

/** Where a point of the picture stands next to the middle of its frame, in fitted sizes. */
const placeOf = (zoom: Zoom, point: number): number => (point - zoom.x) * zoom.scale;

describe("a zoom", () => {
  it("leaves the point where it is that one zooms at", () => {
    const at = { x: 0.8, y: 0.3 };
    const near = zoomedTo(FIT, 4, at);
    expect(placeOf(near, 0.8)).toBeCloseTo(placeOf(FIT, 0.8));
    expect(zoomedTo(near, 1, at)).toEqual({ scale: 1, x: expect.closeTo(0.5), y: expect.closeTo(0.5) });
  });

  it("has bounds", () => {
    expect(zoomedTo(FIT, 1e6).scale).toBe(32);
    expect(zoomedTo(FIT, 0).scale).toBe(0.05);
  });

  it("is moved with the hand, whatever its scale", () => {
    const near = zoomedTo(FIT, 4);
    expect(placeOf(moveZoom(near, { x: 0.2, y: -0.1 }), 0.5)).toBeCloseTo(0.2);
  });

  it("leaves no gap at an edge, and stands in the middle where there is room to spare", () => {
    // A picture as high as its frame, which is twice as wide.
    const room = { x: 2, y: 1 };
    expect(clampZoom({ scale: 1.5, x: 0, y: 0 }, room)).toEqual({ scale: 1.5, x: 0.5, y: expect.closeTo(1 / 3) });
    expect(clampZoom({ scale: 4, x: 2, y: 0.5 }, room)).toEqual({ scale: 4, x: 0.75, y: 0.5 });
    expect(clampZoom({ scale: 1, x: 0.1, y: 0.9 }, room)).toEqual(FIT);
  });

  it("is changed by keys", () => {
    expect(zoomByKey("+")?.(FIT).scale).toBe(1.25);
    expect(zoomByKey("-")?.(FIT).scale).toBe(0.8);
    expect(zoomByKey("0")?.({ scale: 3, x: 0, y: 0 })).toEqual(FIT);
    expect(zoomByKey("ArrowLeft")).toBe(null);
  });
});
