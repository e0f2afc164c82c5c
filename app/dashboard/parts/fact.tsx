import type { ComponentProps } from 'react';

interface FactProps extends ComponentProps<'dd'> {
  readonly name: string;
}

/** A name and what it stands for, in a list of facts. */
export function Fact({ name, ...value }: FactProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd {...value} />
    </>
  );
}
