import { removeBg } from '../../models/remove-bg/operation.ts';

export const OPERATIONS = { 'remove-bg': removeBg };
