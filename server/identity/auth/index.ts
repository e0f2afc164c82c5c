export { getAuth } from './create-auth.ts';
export { findVisitor, type Visitor } from './find-visitor.ts';
export { isOutdatedLink } from './outdated-link.ts';
export { isFromOwnPage, resolveOwnUrl } from './own-origins.ts';
export { purgeSessions } from './purge-sessions.ts';
export { REVOKE_KEYS } from './revoke-other-access.ts';
export { hasNoServiceOwner, isServiceOwner, retireServiceOwner } from './service-owner.ts';
export { setPassword } from './set-password.ts';
export { signUpByInvitation } from './sign-up-by-invitation.ts';
