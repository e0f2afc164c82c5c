export { GET } from '../../clients/[file]/route.ts';
