export { endIncident, type Incident, listIncidents, openIncident } from './incidents.ts';
export { readStatus, type ServiceStatus } from './read-status.ts';
