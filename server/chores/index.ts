export { listChores } from './list-chores.ts';
export { recordChore } from './record-chore.ts';
