import { OperationError } from '../errors.ts';
import type { Session } from '../inference.ts';
import type { RegionPlanes } from '../kernels/raster/colour-planes.ts';
import { enlargePlane } from '../kernels/raster/enlarge-plane.ts';
import { floatsOf, floatTensor } from '../tensor.ts';
import type { UpscaleNetwork } from './networks.ts';

type Plane = Float32Array<ArrayBuffer>;

/** Shares of red, green and blue in lightness: ITU-R BT.601. */
const LUMA = [0.299, 0.587, 0.114] as const;

/** What the network reports besides its output. */
export interface EnlargeReport {
  provider: string;
  readonly notices: Set<string>;
}

/**
 * Enlarges planes by a network.
 * @param report is filled in
 * @throws OperationError `unavailable` when the network does not match its description
 */
export async function enlargePlanes(
  network: UpscaleNetwork,
  session: Session,
  planes: RegionPlanes,
  { signal, report }: { readonly signal: AbortSignal; readonly report: EnlargeReport },
): Promise<RegionPlanes> {
  const { width, height, colours, alpha } = planes;
  const { scale } = network;
  const run = (channels: number, data: Plane) =>
    runNetwork(network, session, { width, height, channels, data }, { signal, report });
  const size = { width: width * scale, height: height * scale };
  if (network.channels === 'luma') {
    const detailed = await run(1, lumaOf(colours));
    const enlarged = enlargeColours(planes, scale);
    addDetail(enlarged, detailed);
    return { ...size, colours: enlarged, alpha: alpha && (await run(1, alpha)) };
  }
  const enlarged = await run(3, colours);
  return { ...size, colours: enlarged, alpha: alpha && lumaOf(await run(3, threefold(alpha))) };
}

interface PlaneStack {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: Plane;
}

async function runNetwork(
  network: UpscaleNetwork,
  session: Session,
  { width, height, channels, data }: PlaneStack,
  { signal, report }: { readonly signal: AbortSignal; readonly report: EnlargeReport },
): Promise<Plane> {
  const [input] = session.inputs;
  const [output] = session.outputs;
  if (!input || !output || (input.type !== 'float32' && input.type !== 'float16')) throw unlikeCard(network);
  const feed = floatTensor(input.type, [1, channels, height, width], data);
  const { outputs, provider, notices } = await session.run({ [input.name]: feed }, signal);
  report.provider = provider;
  for (const notice of notices) report.notices.add(notice);
  const answer = outputs[output.name];
  if (answer?.data.length !== data.length * network.scale ** 2) throw unlikeCard(network);
  return floatsOf(answer);
}

function unlikeCard({ card }: UpscaleNetwork): OperationError {
  return new OperationError('unavailable', `${card.id}: the model does not match its description.`);
}

function lumaOf(colours: Plane): Plane {
  const size = colours.length / 3;
  const luma = new Float32Array(size);
  for (let at = 0; at < size; at++) luma[at] = lumaAt(colours, at, size);
  return luma;
}

function lumaAt(colours: Plane, at: number, size: number): number {
  return (
    LUMA[0] * (colours[at] as number) +
    LUMA[1] * (colours[at + size] as number) +
    LUMA[2] * (colours[at + 2 * size] as number)
  );
}

function threefold(plane: Plane): Plane {
  const planes = new Float32Array(plane.length * 3);
  for (let channel = 0; channel < 3; channel++) planes.set(plane, channel * plane.length);
  return planes;
}

function enlargeColours({ width, height, colours }: RegionPlanes, scale: number): Plane {
  const size = width * height;
  const enlarged = new Float32Array(colours.length * scale * scale);
  for (let channel = 0; channel < 3; channel++) {
    const data = colours.subarray(channel * size, (channel + 1) * size);
    enlarged.set(enlargePlane({ width, height, data }, scale).data, channel * size * scale * scale);
  }
  return enlarged;
}

/**
 * Gives colours another lightness, in place. The same is added to red, green and blue, which leaves the differences
 * that make up the colour (Cb and Cr of BT.601) as they are.
 */
function addDetail(colours: Plane, luma: Plane): void {
  const size = luma.length;
  for (let at = 0; at < size; at++) {
    const detail = (luma[at] as number) - lumaAt(colours, at, size);
    colours[at] = (colours[at] as number) + detail;
    colours[at + size] = (colours[at + size] as number) + detail;
    colours[at + 2 * size] = (colours[at + 2 * size] as number) + detail;
  }
}
