import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { getHeaviness } from './heavy-files.ts';

/**
 * Runs the heaviest files of a project first: one that begins last would keep a single core busy while the others wait.
 */
export class HeavyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) =>
      sorted
        .filter((file) => file.project === project)
        .sort((one, other) => getHeaviness(this.#getPath(other)) - getHeaviness(this.#getPath(one))),
    );
  }

  #getPath({ moduleId }: TestSpecification): string {
    return relative(this.ctx.config.root, moduleId);
  }
}
