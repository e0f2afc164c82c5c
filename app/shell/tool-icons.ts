import {
  ArrowLeftRight,
  AudioLines,
  Expand,
  type LucideIcon,
  Scaling,
  Scissors,
  ShieldCheck,
  UsersRound,
} from 'lucide-react';
import type { OperationId } from '../../models/registry.ts';

/** Icon of every tool. */
export const TOOL_ICONS: Readonly<Record<OperationId, LucideIcon>> = {
  'media-convert-image': ArrowLeftRight,
  'remove-bg': Scissors,
  'image-moderation': ShieldCheck,
  upscale: Expand,
  'image-outpaint': Scaling,
  'audio-diarize': UsersRound,
  'audio-separate-stems': AudioLines,
};
