import type { PageTexts } from "./page-texts.ts";

export const es: PageTexts = {
  notFound: {
    title: "Este enlace no existe",
    text: "Compruebe si la dirección está bien escrita o pregunte a quien se la dio.",
  },
  gone: {
    title: "Este enlace ya no está disponible",
    text: "Ha caducado o fue eliminado. Pida uno nuevo a quien se lo dio.",
  },
  tooManyMisses: {
    title: "Demasiados enlaces desconocidos",
    text: "Desde su red se han pedido muchos enlaces que no existen. Espere un minuto e inténtelo de nuevo.",
  },
  tooManyRequests: {
    title: "Demasiadas solicitudes",
    text: "Su red ha enviado demasiadas solicitudes. Espere un minuto e inténtelo de nuevo.",
  },
  tooManyPasswords: {
    title: "Demasiadas contraseñas incorrectas",
    text: "Espere unos minutos y vuelva a intentarlo.",
  },
  password: {
    title: "Este enlace tiene una contraseña",
    text: "Introduzca la contraseña que recibió con el enlace.",
    label: "Contraseña",
    submit: "Continuar",
    wrong: "La contraseña no es correcta.",
  },
  limited: {
    title: "Este enlace se puede abrir un número limitado de veces",
    text: "Para que las vistas previas y otros programas no gasten ninguna, solo reciben esta página.",
    open: "Abrir el enlace",
  },
  unavailable: {
    title: "Volvemos enseguida",
    text: "Esta página no se puede mostrar en este momento. Inténtelo de nuevo en unos segundos.",
  },
  methodNotAllowed: {
    title: "Esta dirección solo se puede abrir",
    text: "Los enlaces cortos no responden a este tipo de solicitud.",
  },
  targetTooLong: {
    title: "Esta dirección es demasiado larga",
    text: "Los enlaces cortos admiten direcciones de hasta {max} caracteres.",
  },
  internalError: { title: "Algo ha salido mal", text: "El error es nuestro. Inténtelo de nuevo." },
  blocked: {
    title: "Este enlace está bloqueado",
    reasons: {
      malware: "Se ha denunciado porque lleva a software malicioso.",
      phishing:
        "Se ha denunciado por suplantación: la página a la que lleva imita a otra para robar contraseñas o datos personales.",
      spam: "Se ha denunciado como correo o publicidad no deseados.",
      legal: "Se ha bloqueado por motivos legales.",
      manual: "Lo ha bloqueado el operador de este servicio.",
      suspended: "La cuenta a la que pertenece está suspendida.",
    },
    notForwarded: "Por su seguridad, no le redirigimos.",
    mistake: "¿Cree que es un error? Escriba a",
    subject: "Enlace bloqueado en {site}",
  },
  preview: {
    title: "Vista previa de {link}",
    heading: "A dónde lleva este enlace",
    leadsTo: "El enlace corto {link} lleva a",
    destination: "Destino",
    lookAlike:
      "Cuidado: el nombre del sitio contiene letras que se parecen a otras, por eso lo mostramos en su forma técnica (xn--…). Puede que imite a otro sitio.",
    varies: "Este enlace tiene reglas: otros visitantes, o usted en otro momento, pueden llegar a otro lugar.",
    proceed: "Continuar",
    wrong: "¿Hay algún problema con este enlace? Comuníquelo a",
    subject: "Aviso sobre {link}",
    demo: {
      title: "Demo: sin redirección",
      text: "Fuera de la demo, los visitantes llegan al destino de inmediato.",
    },
  },
};
