export { getAuth } from './create-auth.ts';
export { findVisitor, type Visitor } from './find-visitor.ts';
export { isOutdatedLink } from './outdated-link.ts';
export { isFromOwnPage } from './own-origins.ts';
export { clearOwner, hasNoOwner, isOwner } from './owner.ts';
export { purgeSessions } from './purge-sessions.ts';
export { setPassword } from './set-password.ts';
