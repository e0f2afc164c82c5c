export { authOf } from './auth.ts';
export { isOutdatedLink } from './outdated-link.ts';
export { isFromOwnPage } from './own-origins.ts';
export { awaitsOwner, forgetOwner, isOwner } from './owner.ts';
export { purgeSessions } from './purge.ts';
export { type Visitor, visitorOf } from './session.ts';
export { setPassword } from './set-password.ts';
