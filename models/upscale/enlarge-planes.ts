import { OperationError } from '../errors.ts';
import type { Session } from '../inference.ts';
import type { RegionPlanes } from '../kernels/raster/colour-planes.ts';
import { floatsOf, floatTensor } from '../tensor.ts';
import type { UpscaleNetwork } from './networks.ts';

type Plane = Float32Array<ArrayBuffer>;

/** What the network reports besides its output. */
export interface EnlargeReport {
  provider: string;
  readonly notices: Set<string>;
}

/**
 * Enlarges planes by a network; alpha as a grey image.
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
  const run = (data: Plane) => runNetwork(network, session, { width, height, data }, { signal, report });
  return {
    width: width * scale,
    height: height * scale,
    colours: await run(colours),
    alpha: alpha && meanOfThree(await run(threefold(alpha))),
  };
}

/** Three planes of one size, one after the other. */
interface ThreePlanes {
  readonly width: number;
  readonly height: number;
  readonly data: Plane;
}

async function runNetwork(
  network: UpscaleNetwork,
  session: Session,
  { width, height, data }: ThreePlanes,
  { signal, report }: { readonly signal: AbortSignal; readonly report: EnlargeReport },
): Promise<Plane> {
  const [input] = session.inputs;
  const [output] = session.outputs;
  if (!input || !output || (input.type !== 'float32' && input.type !== 'float16')) throw unlikeCard(network);
  const feed = floatTensor(input.type, [1, 3, height, width], data);
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

/** Writes a plane three times, as a grey image. */
function threefold(plane: Plane): Plane {
  const planes = new Float32Array(plane.length * 3);
  for (let channel = 0; channel < 3; channel++) planes.set(plane, channel * plane.length);
  return planes;
}

function meanOfThree(planes: Plane): Plane {
  const size = planes.length / 3;
  return Float32Array.from(
    { length: size },
    (_, at) =>
      ((planes[at] as number) + (planes[at + size] as number) + (planes[at + 2 * size] as number)) / 3,
  );
}
