import("/page/WIDGET/WIDGET.js").then((module) => module.mount({ element, server, upload }));
