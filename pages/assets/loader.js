import("/page/WIDGET.js").then((module) => module.mount({ element, server, upload }));
