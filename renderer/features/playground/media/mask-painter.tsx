/* oxlint-disable jsx-a11y/prefer-tag-over-role -- A canvas is drawn on, an img is not. */
import { Eraser, Paintbrush, Undo2 } from "lucide-react";
import { useEffect, useRef, useState, type PointerEvent, type ReactNode } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { FilterChip } from "../../../components/ui/chip.tsx";
import { NoticeLine } from "../../../components/ui/states.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import type { Picture } from "../pictures/picture.ts";
import { paintMask, paintShape, type MaskShape, type Point, type Size } from "./mask.ts";
import { MaskRectangle } from "./mask-rectangle.tsx";

export interface MaskPainterProps {
  readonly picture: Picture;
  readonly shapes: readonly MaskShape[];
  readonly onChange: (shapes: readonly MaskShape[]) => void;
}

/** Parts of the picture's longest side that the brush may have as its width, per cent. */
const WIDTHS = { least: 1, most: 40, usual: 8 } as const;

/** Paints the area to change over a picture: by pointer, or by numeric rectangles. */
export function MaskPainter({ picture, shapes, onChange }: MaskPainterProps): ReactNode {
  const t = useMessages();
  const [size, setSize] = useState<Size | null>(null);
  const [broken, setBroken] = useState(false);
  const [erase, setErase] = useState(false);
  const [width, setWidth] = useState<number>(WIDTHS.usual);
  const ground = useRef<HTMLCanvasElement>(null);
  const layer = useRef<HTMLCanvasElement>(null);
  const stroke = useRef<{ readonly shape: MaskShape & { readonly kind: "stroke" }; points: Point[] } | null>(null);

  useEffect(() => {
    let over = false;
    const draw = async (): Promise<void> => {
      const bitmap = await createImageBitmap(picture.file);
      const [under, top] = [ground.current, layer.current];
      if (!over && under !== null && top !== null) {
        for (const canvas of [under, top]) {
          canvas.width = bitmap.width;
          canvas.height = bitmap.height;
        }
        under.getContext("2d")?.drawImage(bitmap, 0, 0);
        setBroken(false);
        setSize({ width: bitmap.width, height: bitmap.height });
      }
      bitmap.close();
    };
    draw().catch(() => setBroken(true));
    return () => {
      over = true;
    };
  }, [picture]);

  useEffect(() => {
    const context = layer.current?.getContext("2d");
    if (context != null && size !== null) paintMask(context, size, shapes);
  }, [size, shapes]);

  const pointAt = ({ clientX, clientY }: PointerEvent): Point => {
    const box = layer.current?.getBoundingClientRect();
    if (box === undefined || size === null) return { x: 0, y: 0 };
    return {
      x: ((clientX - box.left) / box.width) * size.width,
      y: ((clientY - box.top) / box.height) * size.height,
    };
  };
  const begin = (event: PointerEvent<HTMLCanvasElement>): void => {
    if (size === null || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const radius = Math.max(0.5, (Math.max(size.width, size.height) * width) / 200);
    const points = [pointAt(event)];
    stroke.current = { shape: { kind: "stroke", erase, radius, points }, points };
    follow();
  };
  const move = (event: PointerEvent<HTMLCanvasElement>): void => {
    if (stroke.current === null) return;
    stroke.current.points.push(pointAt(event));
    follow();
  };
  /** Draws only the last segment: the whole stroke becomes a shape when it ends. */
  const follow = (): void => {
    const context = layer.current?.getContext("2d");
    if (context == null || size === null || stroke.current === null) return;
    const { shape, points } = stroke.current;
    paintShape(context, size, { ...shape, points: points.slice(-2) });
  };
  const end = (): void => {
    if (stroke.current === null) return;
    const { shape, points } = stroke.current;
    stroke.current = null;
    onChange([...shapes, { ...shape, points }]);
  };

  return (
    <fieldset aria-label={t.playground.mask} className="flex min-w-0 flex-col gap-2.5">
      {broken && <NoticeLine level="danger">{t.playground.unreadable.broken}</NoticeLine>}
      <div className="relative self-center overflow-hidden rounded-md border border-line bg-pressed">
        <canvas ref={ground} role="img" aria-label={picture.name} className="block max-h-[56vh] max-w-full" />
        <canvas
          ref={layer}
          role="img"
          aria-label={shapes.length === 0 ? t.playground.maskEmpty : t.playground.maskSteps(shapes.length)}
          onPointerDown={begin}
          onPointerMove={move}
          onPointerUp={end}
          onPointerCancel={end}
          className="absolute inset-0 size-full cursor-crosshair touch-none opacity-65 [filter:drop-shadow(0_0_2px_#fff)_drop-shadow(0_0_2px_#000)]"
        />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <FilterChip pressed={!erase} onPress={() => setErase(false)}>
          <Paintbrush size={12} aria-hidden className="mr-1 inline" />
          {t.playground.brush}
        </FilterChip>
        <FilterChip pressed={erase} onPress={() => setErase(true)}>
          <Eraser size={12} aria-hidden className="mr-1 inline" />
          {t.playground.eraser}
        </FilterChip>
        <label className="flex items-center gap-2 text-meta text-muted">
          {t.playground.brushSize}
          <input
            type="range"
            min={WIDTHS.least}
            max={WIDTHS.most}
            value={width}
            onChange={(event) => setWidth(Number(event.target.value))}
            className="w-24 accent-(--accent)"
          />
        </label>
        <div className="ml-auto flex flex-wrap justify-end gap-2">
          <Button
            icon={<Undo2 size={14} aria-hidden />}
            disabled={shapes.length === 0}
            onClick={() => onChange(shapes.slice(0, -1))}
          >
            {t.app.undo}
          </Button>
          <Button onClick={() => onChange([...shapes, { kind: "all" }])}>{t.playground.paintAll}</Button>
          <Button onClick={() => onChange([...shapes, { kind: "invert" }])}>{t.playground.invert}</Button>
          <Button disabled={shapes.length === 0} onClick={() => onChange([])}>
            {t.playground.clear}
          </Button>
        </div>
      </div>
      {size !== null && <MaskRectangle size={size} onAdd={(shape) => onChange([...shapes, shape])} />}
      <p className="text-meta text-faint">{t.playground.maskHelp}</p>
    </fieldset>
  );
}
