'use client';

import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';

/** Places in a tool's frame that a stage fills: `views` in the head, `facts` in the sheet of a phone. */
type SlotName = 'views' | 'facts';

interface FrameSlots {
  readonly elements: Readonly<Record<SlotName, HTMLElement | null>>;
  /** Refs for the elements that hold the slots. */
  readonly refs: Readonly<Record<SlotName, (element: HTMLElement | null) => void>>;
}

const EMPTY = { views: null, facts: null };
const SlotElements = createContext<FrameSlots['elements']>(EMPTY);

/** Provides the slots of one frame to the stage within it. */
export const FrameSlotsProvider = SlotElements.Provider;

export function useFrameSlots(): FrameSlots {
  const [views, setViews] = useState<HTMLElement | null>(null);
  const [facts, setFacts] = useState<HTMLElement | null>(null);
  const elements = useMemo(() => ({ views, facts }), [views, facts]);
  return { elements, refs: { views: setViews, facts: setFacts } };
}

const TallStage = createContext<(isTall: boolean) => void>(() => {});

/** Provides the setter that tells the frame whether its stage needs the height of a phone. */
export const TallStageProvider = TallStage.Provider;

/** Tells the frame that the stage needs the height of a phone, which the sheet then leaves to it. */
export function useTallStage(isTall: boolean): void {
  const setTall = useContext(TallStage);
  useEffect(() => {
    setTall(isTall);
    return () => setTall(false);
  }, [setTall, isTall]);
}

interface InSlotProps {
  readonly name: SlotName;
  readonly children: ReactNode;
}

/** Renders its children in a slot of the frame, wherever the stage itself is. */
export function SlotPortal({ name, children }: InSlotProps) {
  const element = useContext(SlotElements)[name];
  return element && createPortal(children, element);
}
