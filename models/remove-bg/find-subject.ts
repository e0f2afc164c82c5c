import { OperationError } from '../errors.ts';
import type { Inference, Session } from '../inference.ts';
import type { FloatImage } from '../raster.ts';
import { MATTE_NETWORKS, type MatteNetwork } from './networks.ts';
import { type Prediction, predictMatte } from './predict-matte.ts';
import { lookAgain } from './second-look.ts';

export interface FoundSubject {
  /** One channel, 0 to 1, over the whole picture: at the network's own resolution, or finer after a second look. */
  readonly matte: FloatImage;
  /** The id of the network's weights. */
  readonly network: string;
  /** Which network, and on what it ran. */
  readonly engine: string;
  readonly warnings: readonly string[];
}

export interface FindOptions {
  /** The id of a network's weights, or `auto` for the best that is here or can be had. */
  readonly engine: string;
  /** Whether a quick network may look at the mirrored picture as well, which takes twice the time: not in videos. */
  readonly isStill: boolean;
  readonly signal: AbortSignal;
  /** @param fraction of the weights that have been downloaded */
  readonly onProgress: (fraction: number) => void;
}

/**
 * Lets the best network say what in a picture is subject; with `auto`, one that cannot be had or run makes way for the
 * next, and the warnings say so.
 * @param colours red, green, blue, 0 to 1
 * @throws OperationError `unavailable` when no network is left
 */
export async function findSubject(
  inference: Inference,
  colours: FloatImage,
  options: FindOptions,
): Promise<FoundSubject> {
  const failures: string[] = [];
  for (const network of await candidates(inference, options.engine)) {
    try {
      const { matte, provider, notices } = await inference.use(network.card, options, (session) =>
        look(network, session, colours, options),
      );
      const warnings = [...failures, ...notices, ...limitsOf(network, options.engine)];
      return { matte, network: network.card.id, engine: `${network.card.id} on ${provider}`, warnings };
    } catch (thrown) {
      if (!(thrown instanceof OperationError) || thrown.code !== 'unavailable') throw thrown;
      failures.push(thrown.message);
    }
  }
  throw new OperationError('unavailable', [noneAtHand(options.engine), ...failures].join(' '));
}

/** All that the network sees of a picture, looking as often as it may. */
async function look(
  network: MatteNetwork,
  session: Session,
  colours: FloatImage,
  { isStill, signal }: FindOptions,
): Promise<Prediction> {
  const notices = new Set<string>();
  let provider = '';
  const see = async (part: FloatImage, isMirrored: boolean): Promise<FloatImage> => {
    const seen = await predictMatte(network, session, part, { isMirrored, signal });
    for (const notice of seen.notices) notices.add(notice);
    provider = seen.provider;
    return seen.matte;
  };
  const seeBothWays = async (part: FloatImage) => meanOf(await see(part, false), await see(part, true));
  const seeOnce = (part: FloatImage) => see(part, false);
  const view = network.looksAgain && isStill ? seeBothWays : seeOnce;
  const first = await view(colours);
  const matte = network.looksAgain ? await lookAgain(colours, first, view) : first;
  return { matte, provider, notices: [...notices] };
}

/** Of two mattes of one size. */
function meanOf(one: FloatImage, other: FloatImage): FloatImage {
  return { ...one, data: one.data.map((value, at) => (value + (other.data[at] as number)) / 2) };
}

async function candidates(inference: Inference, engine: string): Promise<MatteNetwork[]> {
  const asked = MATTE_NETWORKS.filter(({ card }) => engine === 'auto' || card.id === engine);
  const usable: MatteNetwork[] = [];
  for (const network of asked) {
    const availability = await inference.availability(network.card);
    const mayUse = availability !== 'on-request' || engine !== 'auto';
    if (availability !== 'unavailable' && mayUse) usable.push(network);
  }
  return usable;
}

function noneAtHand(engine: string): string {
  return engine === 'auto'
    ? 'No network that finds subjects is at hand.'
    : `engine: ${engine} is not at hand: its weights cannot be had here, or it needs more memory than there is for it. Ask for auto to take another.`;
}

/** Who asks for such a network by name knows what it is for. */
function limitsOf({ card, finds }: MatteNetwork, engine: string): string[] {
  return finds === 'people' && engine === 'auto'
    ? [`${card.id} finds people only, and no network for other subjects was at hand.`]
    : [];
}
