export {
  endIncident,
  type Incident,
  listIncidents,
  openIncident,
  readStatus,
  type ServiceStatus,
} from './read-status.ts';
